import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Exception } from "../../audit";
import { auditTokens } from "../../audit/audit";
import type { Token } from "../../sdk";
import { accepting, now } from "../support/audits";
import { baseUrl, encrypted, generatedFrom, type RecordedToken, stackOf } from "../support/states";
import { runsOf } from "./random";

const runs = runsOf(1000);
const credential = "0a0a0a0a0a0a";

const ends = ["2026-11-20T00:00:00Z", "2026-12-01T00:00:00Z", "2027-06-01T02:00:00+02:00", "2027-06-01T00:00:00.5Z"];
const beyondAllEnds = [
  "2028-01-01T00:00:00Z",
  "",
  "0001-01-01T00:00:00Z",
  "never",
  "2099-12-31",
  "9999-12-31T23:59:60Z",
  "9999-12-31T23:59:59-05:00",
];
type Spec = Pick<Token, "expiresAt" | "orgCapabilities" | "datasetCapabilities">;
const capabilities = fc.record(
  { users: fc.subarray(["create", "read"]), flows: fc.subarray(["create", "read"]) },
  { requiredKeys: [] },
);
const spec: fc.Arbitrary<Spec> = fc.record(
  {
    expiresAt: fc.constantFrom(...ends),
    orgCapabilities: capabilities,
    datasetCapabilities: fc.record({ web: fc.record({ query: fc.subarray(["read"]) }) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Spec>;

/** Where each live token comes from, and what the state has of it beside its inputs. */
const origins = fc.record({
  from: fc.constantFrom("declared", "replaced", "awaits deletion", "pending", "allowed", "accepted"),
  spec,
  hidden: fc.subarray(["description", "orgCapabilities", "expiresAt"]),
  given: fc.record({ orgCapabilities: capabilities, description: fc.constant("given") }, { requiredKeys: [] }),
  hash: fc.constantFrom(undefined, credential, "1b1b1b1b1b1b"),
  isGenerated: fc.boolean(),
  fate: fc.constantFrom("revoke", "expire"),
});
type Fields = Readonly<Record<string, unknown>>;
type Origin = typeof origins extends fc.Arbitrary<infer T> ? T : never;

const mutations = fc.oneof(
  fc.record({
    kind: fc.constant("gain" as const),
    field: fc.constantFrom("orgCapabilities", "datasetCapabilities", "viewCapabilities"),
    right: fc.constantFrom<object>(
      { users: ["delete"] },
      { "users.x": ["read"] },
      { web: { "query:read": ["read"] } },
      { web: [["read"]] },
    ),
  }),
  fc.record({ kind: fc.constant("prolong" as const), to: fc.constantFrom(...beyondAllEnds) }),
  fc.record({ kind: fc.constantFrom("revoke" as const, "forget" as const) }),
  fc.record({ kind: fc.constant("mint" as const), name: fc.constantFrom("t0", "t0-0a1b2c3", "by hand", "") }),
);

const world = fc.record({
  origins: fc.array(origins, { minLength: 1, maxLength: 4 }),
  target: fc.nat(),
  mutation: mutations,
  maxLifetime: fc.constantFrom(undefined, "90d", "3650d"),
});

/** Everything that an audit is given, for tokens that are as they were made. */
function build(all: readonly Origin[]) {
  const live = all.map(({ spec }, n) => ({ id: `t${n}`, name: `t${n}`, ...spec }) as Token);
  const tokens: RecordedToken[] = [];
  const pending: RecordedToken[] = [];
  const exceptions: Exception[] = [];
  for (const [n, { from, spec, hidden, given, hash, isGenerated, fate }] of all.entries()) {
    const name = `t${n}`;
    const secret = Object.fromEntries(hidden.map((field) => [field, encrypted]));
    const inputs = { ...spec, ...secret, ...(isGenerated ? generatedFrom(name) : {}) };
    const declared = Object.fromEntries(Object.keys(given).map((key) => [key, (inputs as Fields)[key] ?? ""]));
    const recorded = { id: name, name, inputs, outputs: { ...given, evidence: hash }, record: { declared } };
    if (from === "declared") tokens.push(recorded);
    if (from === "awaits deletion") tokens.push({ ...recorded, more: { delete: true } });
    if (from === "pending") pending.push({ name, inputs });
    if (from === "replaced") {
      const replaced = [{ id: name, ...(fate === "revoke" ? {} : { ends: "later", until: spec.expiresAt }) }];
      tokens.push({ id: `${name}-next`, name: `${name}-next`, record: { replaced } });
      live.push({ id: `${name}-next`, name: `${name}-next` });
    }
    const { expiresAt = "never", ...rights } = spec;
    if (from === "allowed") {
      exceptions.push({ id: name, owner: "o", reason: "r", until: "2027-01-31", expiresAt, ...rights } as Exception);
    }
  }
  return { live, tokens, pending, exceptions };
}

type World = ReturnType<typeof build>;

/** The world after a change of one token; undefined if this token cannot change that way. */
function mutate(
  before: World,
  origin: Origin,
  at: number,
  mutation: typeof mutations extends fc.Arbitrary<infer T> ? T : never,
) {
  const { live, tokens } = before;
  const id = `t${at}`;
  const change = (more: object) => ({
    ...before,
    live: live.map((token) => (token.id === id ? ({ ...token, ...more } as Token) : token)),
  });
  switch (mutation.kind) {
    case "gain": {
      // Nothing records what a token held that was replaced and is left to its expiry.
      if (origin.from === "replaced" && origin.fate === "expire") return undefined;
      const { field, right } = mutation;
      const held = (origin.spec as Record<string, object | undefined>)[field];
      return change({ [field]: { ...held, ...right } });
    }
    case "prolong":
      // A token without an expiry cannot be prolonged.
      return origin.spec.expiresAt === undefined ? undefined : change({ expiresAt: mutation.to });
    case "revoke":
      return origin.from === "declared" ? { ...before, live: live.filter((token) => token.id !== id) } : undefined;
    case "forget":
      return origin.from === "declared" ? { ...before, tokens: tokens.filter((token) => token.id !== id) } : undefined;
    case "mint":
      return { ...before, live: [...live, { id: "new", name: mutation.name } as Token] };
  }
}

test("no right that a token gains, no later end, and no token that is hidden from the state or the service is ever clean", () => {
  fc.assert(
    fc.property(world, ({ origins, target, mutation, maxLifetime }) => {
      const at = target % origins.length;
      const origin = origins[at] as Origin;
      const before = build(origins);
      const after = mutate(before, origin, at, mutation);
      fc.pre(after !== undefined);
      // An expired token holds nothing; whatever it gains besides a later end does no harm.
      const ended = origin.spec.expiresAt === ends[0] && mutation.kind !== "prolong" && mutation.kind !== "mint";
      fc.pre(!ended);
      const judge = ({ live, tokens, pending, exceptions }: World, accepted: readonly Exception[] = []) =>
        auditTokens({
          baseUrl,
          credential,
          live,
          stacks: [stackOf({ tokens, pending })],
          now,
          policy: { version: 1, maxLifetime, exceptions: [...exceptions, ...accepted] },
        });
      // Everything that is wrong before is accepted, so that only the mutation can fail the audit.
      const accepted = accepting(judge(before).findings);
      expect(judge(before, accepted).failed).toBe(false);
      let failed = true;
      try {
        failed = judge(after as World, accepted).failed;
      } catch (e) {
        expect((e as Error).message).toContain("Nothing was audited."); // exit code 2
      }
      expect(failed).toBe(true);
    }),
    { numRuns: runs },
  );
});
