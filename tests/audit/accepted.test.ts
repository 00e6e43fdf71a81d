import { describe, expect, test } from "@jest/globals";
import type { Policy } from "../../audit";
import type { Token } from "../../sdk";
import { accepting, auditsAbout, expiresAt, rulesOf } from "../support/audits";
import type { RecordedStack } from "../support/states";

const audit = auditsAbout("undeclared", "orphaned", "escalated");
const token: Token = { id: "t1", name: "by hand", expiresAt, orgCapabilities: { users: ["read"] } };
/** Changes that give a token more than the accepted capabilities. */
const more: [string, Partial<Token>][] = [
  ["a right", { orgCapabilities: { users: ["read", "create"] } }],
  ["a right on a dataset", { datasetCapabilities: { web: { query: ["read"] } } }],
  ["a right on a view", { viewCapabilities: { web: { query: ["read"] } } }],
  ["a later end", { expiresAt: "2027-06-01T00:00:00.1Z" }],
  ["a life without end", { expiresAt: "" }],
  ["an end that cannot be read", { expiresAt: "2027-06-01" }],
];

describe.each<[string, RecordedStack]>([
  ["undeclared", {}],
  ["orphaned", { pending: [{ name: "by hand" }] }],
  ["escalated", { tokens: [{ id: "t1", name: "by hand", inputs: { expiresAt } }] }],
])("an accepted finding of the rule %s", (rule, recorded) => {
  const policy: Policy = { version: 1, exceptions: accepting(audit([token], recorded).findings) };

  test("covers the token as it was accepted, however it is spelled", () => {
    const respelled = {
      ...token,
      expiresAt: "2027-06-01T01:00:00+01:00",
      orgCapabilities: { flows: [], users: ["read"] },
    };
    expect(audit([respelled], recorded, { policy })).toMatchObject({ findings: [], summary: { accepted: 1 } });
  });

  test.each(more)("does not cover %s that the token gains", (_, gained) => {
    expect(rulesOf(audit([{ ...token, ...gained }], recorded, { policy }).findings)).toEqual([`${rule} t1`]);
  });
});

test("a field of an unknown form is never accepted, because nothing tells whether its value has changed", () => {
  const odd: Token = { id: "t1", name: "ci", expiresAt, odd: { orgCapabilities: "expected object" } };
  for (const recorded of [{}, { tokens: [{ id: "t1", name: "ci", inputs: { expiresAt } }] }]) {
    const judge = auditsAbout("undeclared", "hidden-capabilities", "hidden-expiry");
    const { findings } = judge([odd], recorded);
    expect(findings).toHaveLength(1);
    const policy = { version: 1 as const, exceptions: accepting(findings) };
    expect(judge([odd], recorded, { policy })).toMatchObject({ failed: true, summary: { accepted: 0 } });
  }
});

describe("an exception of the policy", () => {
  const exception = { id: "t1", owner: "ops", reason: "console", until: "2026-12-31" };
  const judge = (live: Token, one: object, recorded = {}) => {
    const policy = { version: 1, exceptions: [{ ...exception, ...one }] } as Policy;
    return audit([live], recorded, { policy });
  };
  const accepted = { orgCapabilities: { users: ["read"] }, expiresAt };

  test("covers the rights and the end that it names, and less", () => {
    expect(judge(token, accepted)).toMatchObject({ findings: [], summary: { accepted: 1 } });
    expect(judge({ ...token, orgCapabilities: {}, expiresAt: "2027-05-01T00:00:00Z" }, accepted).findings).toEqual([]);
    expect(judge({ id: "t1", name: "x" }, { expiresAt: "never" }).findings).toEqual([]);
  });

  test.each(more)("does not cover %s that the token gains", (_, gained) => {
    for (const recorded of [{}, { pending: [{ name: "by hand" }] }]) {
      const { findings, failed, summary } = judge({ ...token, ...gained }, accepted, recorded);
      expect(findings).toMatchObject([
        { token: { id: "t1" }, message: expect.stringContaining("the exception for ops (console) does not cover") },
      ]);
      expect([failed, summary.accepted]).toEqual([true, 0]);
    }
  });

  test.each(["2026-11-20", "2026-11-21T12:00:00Z"])(
    "that ended %s covers nothing, and the finding says whose it was",
    (until) => {
      const [{ fingerprint } = {}] = audit([token]).findings;
      for (const one of [accepted, { id: undefined, fingerprint }]) {
        const { findings, failed, summary } = judge(token, { ...one, until });
        expect(findings).toMatchObject([
          { rule: "undeclared", message: expect.stringContaining(`the exception for ops (console) ended on ${until}`) },
        ]);
        expect([failed, summary.accepted]).toEqual([true, 0]);
      }
    },
  );

  test.each(["9999-12-31", expiresAt])("accepts an expiry up to its own end, %s", (until) => {
    expect(judge({ id: "t1", name: "x", expiresAt }, { until }).findings).toEqual([]);
  });

  test.each(["2026-11-21", "2026-11-21T13:00:00Z"])("that ends %s covers the token up to then", (until) => {
    expect(judge(token, { ...accepted, until }).findings).toEqual([]);
    expect(judge(token, { ...accepted, until, id: "t2" }).findings).toHaveLength(1);
  });

  test("by a name covers no more than one by an id", () => {
    const byName = { id: undefined, name: "by *", ...accepted };
    expect(judge(token, byName).findings).toEqual([]);
    expect(judge({ ...token, orgCapabilities: { rbac: ["create"] } }, byName).findings).toHaveLength(1);
  });

  test("that names neither covers a token without rights that ends no later than the exception does", () => {
    const modest = { id: "t1", name: "x", expiresAt: "2027-01-01T00:00:00Z" };
    expect(judge(modest, {}).findings).toEqual([]);
    expect(judge({ ...modest, expiresAt: "2027-01-01T00:00:01Z" }, {}).findings).toHaveLength(1);
    expect(judge({ ...modest, orgCapabilities: { users: ["read"] } }, {}).findings).toHaveLength(1);
  });
});

describe("of several exceptions that fit one token", () => {
  const base = { owner: "ops", reason: "console", until: "2026-12-31", expiresAt };
  const wide = { ...base, id: "t1", orgCapabilities: { users: ["read"] } };
  const narrow = { ...base, id: "t1", owner: "narrow" };
  const named = { ...base, name: "by *", orgCapabilities: { users: ["read"] } };
  const ended = { ...wide, until: "2026-11-01", owner: "ended" };
  const judged = (live: Token, ...exceptions: object[]) => {
    const policy = { version: 1, exceptions: exceptions } as Policy;
    return audit([live], {}, { policy });
  };

  test.each([
    ["a narrower one", narrow, wide],
    ["one that has ended", ended, wide],
    ["a narrower one by id", narrow, named],
    ["one by id that has ended", ended, named],
  ])("the one that accepts it counts, whether it stands before or after %s", (_, one, other) => {
    for (const exceptions of [
      [one, other],
      [other, one],
    ])
      expect(judged(token, ...exceptions)).toMatchObject({ findings: [], summary: { accepted: 1 } });
  });

  test("none accepts what only all of them together do", () => {
    const live = { ...token, orgCapabilities: { users: ["read"], flows: ["read"] } };
    const other = { ...base, id: "t1", orgCapabilities: { flows: ["read"] } };
    expect(judged(live, wide, other).findings).toHaveLength(1);
  });
});
