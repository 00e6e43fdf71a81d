import { describe, expect, test } from "@jest/globals";
import { type Policy, ruleIds, rules } from "../../audit";
import { auditsAbout, expiresAt, rulesOf } from "../support/audits";

describe("an expiry", () => {
  const audit = auditsAbout("expiry", "never-expires", "long-lived", "hidden-expiry");
  const rule = (at: string | undefined, policy: object = {}) =>
    audit(
      [{ id: "t1", name: "ci", ...(at === undefined ? {} : { expiresAt: at }) }],
      { tokens: [{ id: "t1", name: "ci", inputs: { expiresAt: at } }] },
      { policy: { version: 1, ...policy } },
    ).findings.map((finding) => finding.rule);

  test.each([
    ["2026-11-21T11:54:59Z", ["expiry"]],
    ["2026-11-21T11:55:00Z", ["expiry"]],
    ["2026-12-05T12:00:00Z", ["expiry"]],
    ["2026-12-05T12:00:01Z", []],
    [undefined, ["never-expires"]],
    ["0001-01-01T00:00:00Z", ["never-expires"]],
    ["0001-01-01T01:00:00.000+01:00", ["never-expires"]],
    ["0001-01-01T00:00:01Z", ["expiry"]],
    ["at the end of time", ["hidden-expiry"]],
  ])("of %s at noon on 21 November is %j", (at, rules) => {
    expect(rule(at)).toEqual(rules);
  });

  test("is measured by the policy's own limits", () => {
    expect(rule("2026-12-05T12:00:00Z", { expiringWithin: "13d" })).toEqual([]);
    expect(rule("2026-12-05T12:00:00Z", { expiringWithin: "1h", maxLifetime: "14d" })).toEqual([]);
    expect(rule("2026-12-05T12:00:01Z", { expiringWithin: "1h", maxLifetime: "2w" })).toEqual(["long-lived"]);
  });
});

/** Values that services and their clients write for a distant expiry, or for none. */
const endless = [
  "",
  "0001-01-01T00:00:00Z",
  "never",
  "2099-12-31",
  "9999-12-31T23:59:59",
  "9999-12-31T23:59:60Z",
  "9999-12-31T23:59:59-05:00",
];

describe.each(endless)("a live token whose expiry is %j", (at) => {
  const recordWith = (end: string) => ({ tokens: [{ id: "t1", name: "ci", inputs: { expiresAt: end } }] });
  const live = [{ id: "t1", name: "ci", expiresAt: at }];

  test("exceeds every limit of the policy", () => {
    const { findings } = auditsAbout("long-lived")(live, {}, { policy: { version: 1, maxLifetime: "9999d" } });
    expect(findings).toMatchObject([{ rule: "long-lived", severity: "error" }]);
  });

  test("is escalated where an end was declared, however late", () => {
    const { findings } = auditsAbout("escalated", "changed")(live, recordWith("9999-12-31T23:59:58Z"));
    expect(rulesOf(findings)).toEqual(["escalated t1"]);
  });
});

describe("a restricted capability", () => {
  const audit = auditsAbout("over-privileged");
  const holds = (orgCapabilities: Record<string, string[]>, restricted?: object[], declared = true) => {
    const live = [{ id: "t1", name: "ci", expiresAt, orgCapabilities }];
    const tokens = declared ? [{ id: "t1", name: "ci", inputs: { expiresAt, orgCapabilities } }] : [];
    const policy = { version: 1, restricted } as Policy;
    return audit(live, { tokens }, { policy }).findings;
  };

  test("is by default what lets a token give itself more", () => {
    expect(holds({ apiTokens: ["create", "read"], rbac: ["read"] })).toMatchObject([
      { message: 'API token "ci" holds apiTokens:create, rbac:read' },
    ]);
    expect(holds({ apiTokens: ["read"], users: ["create"] })).toEqual([]);
  });

  test.each([
    [{ name: "c*" }, true],
    [{ id: "t1" }, true],
    [{ stack: "web/prod" }, true],
    [{ stack: "web/*", name: "ci" }, true],
    [{ stack: "web/dev" }, false],
    [{ stack: "web/prod", name: "cd" }, false],
    [{ id: "t2" }, false],
  ])("of a declared token named by %j is its own: %s", (holder, own) => {
    expect(holds({ rbac: ["create"] }, [{ capability: "rbac:create", holders: [holder] }])).toHaveLength(own ? 0 : 1);
  });

  test("of a token that no stack declares is its own by its id only: whoever made it chose its name", () => {
    const held = (holder: object) => holds({ rbac: ["create"] }, [{ capability: "rbac:*", holders: [holder] }], false);
    expect(held({ name: "ci" })).toHaveLength(1);
    expect(held({ stack: "*" })).toHaveLength(1);
    expect(held({ id: "t1" })).toEqual([]);
  });
});

test("live tokens of one name are one finding that lists them", () => {
  const live = ["t2", "t1", "t3"].map((id) => ({ id, name: "ci", expiresAt }));
  const tokens = live.map(({ id }) => ({ id, name: "ci", inputs: { expiresAt } }));
  expect(auditsAbout("duplicate-name")(live, { tokens }).findings).toMatchObject([
    { rule: "duplicate-name", severity: "warning", token: { name: "ci" }, ids: ["t1", "t2", "t3"] },
  ]);
});

test("100,000 tokens of one name are one finding too, and no matter of minutes", () => {
  const live = Array.from({ length: 100_000 }, (_, n) => ({ id: `t${n}`, name: "ci", expiresAt }));
  const [finding] = auditsAbout("duplicate-name")(live).findings;
  expect(finding?.ids).toHaveLength(100_000);
  expect(finding?.message).toMatch(/ and 99990 more$/);
});

const audit = auditsAbout("undeclared", "never-expires", "escalated");

test("a policy makes a rule an error, a note or nothing, and says what fails", () => {
  const live = [{ id: "t1", name: "by hand" }];
  const judged = (rules: object, failOn?: "warning" | "none") => {
    const policy = { version: 1 as const, rules, failOn };
    const { findings, failed } = audit(live, {}, { policy });
    return [...findings.map(({ rule, severity }) => `${severity} ${rule}`), failed];
  };
  expect(judged({})).toEqual(["error undeclared", "warning never-expires", true]);
  expect(judged({ undeclared: "note", "never-expires": "off" })).toEqual(["note undeclared", false]);
  expect(judged({ undeclared: "off" })).toEqual(["warning never-expires", false]);
  expect(judged({ undeclared: "off" }, "warning")).toEqual(["warning never-expires", true]);
  expect(judged({}, "none")).toEqual(["error undeclared", "warning never-expires", false]);
  expect(judged({ undeclared: "note", "never-expires": "note" }, "warning").at(-1)).toBe(false);
});

test("findings come in the same order and with the same fingerprints, in whatever order the service lists", () => {
  const live = [3, 1, 2].map((n) => ({ id: `t${n}`, name: `n${n}` }));
  const { findings } = audit(live);
  expect(audit([...live].reverse()).findings).toEqual(findings);
  expect(new Set(findings.map(({ fingerprint }) => fingerprint)).size).toBe(findings.length);
  expect(rulesOf(findings).slice(0, 3)).toEqual(["undeclared t1", "undeclared t2", "undeclared t3"]);
});

test("a fingerprint is permanent: policies and dashboards hold it", () => {
  const live = [{ id: "t1", name: "ci", expiresAt, orgCapabilities: { users: ["read", "create"] } }];
  const recorded = { tokens: [{ id: "t1", name: "ci", inputs: { expiresAt } }] };
  const prints = (rule: "escalated" | "never-expires") =>
    auditsAbout(rule)([...live, { id: "t2", name: "forever" }], recorded).findings.map(
      ({ fingerprint }) => fingerprint,
    );
  expect([...prints("escalated"), ...prints("never-expires")]).toEqual([
    "b1d4aa0b039219ff98130de546aa681e",
    "eac100d0ee2bb57391eb56c04e0d091d",
  ]);
});

test("every rule has a title and says what to do", () => {
  for (const rule of ruleIds) {
    expect(rules[rule].title).toMatch(/^[A-Z].*[^.]$/);
    expect(rules[rule].help).toMatch(/\.$/);
  }
});
