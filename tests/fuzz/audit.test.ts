import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { type Exception, readTerraformState, type StackState } from "../../audit";
import { auditTokens } from "../../audit/audit";
import { describeFrom, nameMakers } from "../../cli/makers";
import type { Row, Token } from "../../sdk";
import { accepting, auditShapes, now } from "../support/audits";
import { baseUrl, encrypted, type RecordedToken, stackOf } from "../support/states";
import { runsOf } from "./random";

const credential = "0a0a0a0a0a0a";

const past = "2026-11-20T00:00:00Z";
const ends = [past, "2026-12-01T00:00:00Z", "2027-06-01T02:00:00+02:00", "2027-06-01T00:00:00.5Z"];
const beyondAllEnds = [
  ..."2028-01-01T00:00:00Z 0001-01-01T00:00:00Z never 2099-12-31".split(" "),
  ...["", "9999-12-31T23:59:60Z", "9999-12-31T23:59:59-05:00"],
];

const actions = fc.subarray(["create", "read"]);
const capabilities = fc.record({ users: actions, flows: actions }, { requiredKeys: [] });
type Spec = Pick<Token, "expiresAt" | "orgCapabilities" | "datasetCapabilities">;
const spec = fc.record(
  {
    expiresAt: fc.constantFrom(...ends),
    orgCapabilities: capabilities,
    datasetCapabilities: fc.record({ web: fc.record({ query: fc.subarray(["read"]) }) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Spec>;

/** Where each live token comes from, and what the state has of it beside its inputs. */
const origin = fc.record({
  from: fc.constantFrom(
    ...(["declared", "bridged", "terraform", "written", "revoked", "kept"] as const),
    ...(["awaits deletion", "pending", "allowed", "accepted"] as const),
  ),
  spec,
  hidden: fc.subarray(["description", "orgCapabilities", "expiresAt"]),
  given: fc.record({ orgCapabilities: capabilities, description: fc.constant("given") }, { requiredKeys: [] }),
  hash: fc.constantFrom(undefined, credential, "1b1b1b1b1b1b"),
});
type Origin = typeof origin extends fc.Arbitrary<infer T> ? T : never;

/** A resource of another tool. */
type Managed = Readonly<Record<string, unknown>> & { readonly id: string };

/** Everything that an audit is given. */
interface World {
  readonly live: readonly Token[];
  readonly tokens: readonly RecordedToken[];
  readonly pending: readonly RecordedToken[];
  /** Resources of other types in the state, and of Terraform. */
  readonly others: readonly Managed[];
  readonly terraform: readonly Managed[];
  readonly exceptions: readonly Exception[];
}

/** A token that is as it was made, and what the state and the policy have of it. */
function build({ from, spec, hidden, given, hash }: Origin, id: string): World {
  const live = [{ id, name: id, ...spec } as Token];
  const inputs: Record<string, unknown> = { ...spec, ...Object.fromEntries(hidden.map((field) => [field, encrypted])) };
  const declared = Object.fromEntries(Object.keys(given).map((key) => [key, inputs[key] ?? ""]));
  const recorded = { id, name: id, inputs, outputs: given, record: { credential: hash, declared } };
  const none: World = { live, tokens: [], pending: [], others: [], terraform: [], exceptions: [] };
  if (from === "declared") return { ...none, tokens: [recorded] };
  if (from === "bridged") return { ...none, others: [otherOf("axiom:index/token:Token", id, pluralOf(inputs))] };
  if (from === "written") return { ...none, others: [otherOf("pulumi-nodejs:dynamic:Resource", id, {})] };
  if (from === "terraform") return { ...none, terraform: [{ id, name: id, ...snakeOf(spec) }] };
  if (from === "awaits deletion") return { ...none, tokens: [{ ...recorded, more: { delete: true } }] };
  if (from === "pending") return { ...none, pending: [{ name: id, inputs }] };
  if (from === "revoked" || from === "kept") {
    const replaced = [{ id, ...(from === "kept" ? { ends: "later", until: spec.expiresAt } : {}) }];
    const next = { id: `${id}-next`, name: `${id}-next` };
    return { ...none, live: [...live, next], tokens: [{ ...next, record: { credential, replaced } }] };
  }
  const { expiresAt = "never", ...rights } = spec;
  const exception = { id, owner: "o", reason: "r", until: "2027-01-31", expiresAt, ...rights } as Exception;
  return { ...none, exceptions: from === "allowed" ? [exception] : [] };
}

const otherOf = (type: string, id: string, inputs: object) => ({
  urn: `urn:pulumi:prod::web::${type}::${id}`,
  type,
  custom: true,
  id,
  inputs: { name: id, ...inputs },
});

/** The bridge makes the names of lists plural. */
const pluralOf = ({ datasetCapabilities, ...rest }: Record<string, unknown>) => ({
  ...rest,
  datasetCapabilities: Object.fromEntries(
    Object.entries(datasetCapabilities ?? {}).map(([name, { query, ...more }]) => [name, { queries: query, ...more }]),
  ),
});

const snakeOf = ({ expiresAt, orgCapabilities, datasetCapabilities }: Spec) => ({
  expires_at: expiresAt ?? null,
  org_capabilities: orgCapabilities ?? null,
  dataset_capabilities: datasetCapabilities ?? null,
});

/** Changes a token, or adds one. @returns undefined if this token cannot change that way */
type Mutation = (before: World, id: string, origin: Origin) => World | undefined;

const change = (before: World, id: string, more: object): World => ({
  ...before,
  live: before.live.map((token) => (token.id === id ? ({ ...token, ...more } as Token) : token)),
});

const gain = fc
  .tuple(
    fc.constantFrom("orgCapabilities", "datasetCapabilities", "viewCapabilities"),
    fc.constantFrom<object>(
      { users: ["delete"] },
      { "users.x": ["read"] },
      { web: { "query:read": ["read"] } },
      { web: [["read"]] },
    ),
  )
  .map(
    ([field, right]): Mutation =>
      (before, id, { from, spec }) => {
        // Nothing records what a token held that was replaced and kept; and an expired one does no harm.
        // Of a provider that somebody wrote, nothing tells what it declares.
        if (from === "kept" || from === "written" || spec.expiresAt === past) return undefined;
        return change(before, id, { [field]: { ...(spec as Record<string, object>)[field], ...right } });
      },
  );
const prolong = fc.constantFrom(...beyondAllEnds).map(
  (expiresAt): Mutation =>
    (before, id, { from, spec }) => {
      return from === "written" || spec.expiresAt === undefined ? undefined : change(before, id, { expiresAt });
    },
);
const declaring = { declared: "tokens", bridged: "others", written: "others", terraform: "terraform" } as const;
const hide = fc.constantFrom("live" as const, "state" as const).map(
  (where): Mutation =>
    (before, id, { from, spec }) => {
      if (!(from in declaring) || spec.expiresAt === past) return undefined;
      // The record of another tool does not tell its account.
      if (where === "live" && from !== "declared") return undefined;
      const list = where === "live" ? "live" : declaring[from as keyof typeof declaring];
      return { ...before, [list]: before[list].filter((token) => token.id !== id) };
    },
);
const mint = fc.constantFrom("t0", "t0-0a1b2c3", "by hand", "").map(
  (name): Mutation =>
    (before) => {
      return { ...before, live: [...before.live, { id: "new", name }] };
    },
);

const world = fc.record({
  origins: fc.array(origin, { minLength: 1, maxLength: 4 }),
  target: fc.nat(),
  mutation: fc.oneof(gain, prolong, hide, mint),
  maxLifetime: fc.constantFrom(undefined, "90d", "3650d"),
  /** The audit log, in both of its shapes, about tokens and about others. */
  log: fc.array(
    fc.record({ shape: fc.constantFrom(...Object.values(auditShapes)), id: fc.constantFrom("t0", "t1", "new", "x") }),
  ),
});

const entry = { action: "createAPIToken", actor: "alice" };

function statesOf({ tokens, pending, others, terraform }: World): StackState[] {
  const instances = terraform.map((attributes) => ({ attributes }));
  const resources = [{ mode: "managed", type: "axiom_token", name: "all", provider: "axiom", instances }];
  const state = readTerraformState({ version: 4, lineage: "l", serial: 1, resources }, "infra.tfstate");
  return [stackOf({ tokens, pending, others }), ...(instances.length > 0 ? [state] : [])];
}

test("no right that a token gains, no later end, and no token that is hidden from the state or the service is ever clean", () => {
  fc.assert(
    fc.property(world, ({ origins, target, mutation, maxLifetime, log }) => {
      const parts = origins.map((one, n) => build(one, `t${n}`));
      const collect = <Key extends keyof World>(key: Key) => parts.flatMap((part) => part[key] as World[Key][number][]);
      const before = {
        live: collect("live"),
        tokens: collect("tokens"),
        pending: collect("pending"),
        others: collect("others"),
        terraform: collect("terraform"),
        exceptions: collect("exceptions"),
      } as World;
      const at = target % origins.length;
      const after = mutation(before, `t${at}`, origins[at] as Origin);
      fc.pre(after !== undefined);
      const describe = describeFrom(
        log.map(({ shape, id }) => shape({ ...entry, id, name: id }) as Row),
        "axiom-audit",
      );
      const judge = (given: World, accepted: readonly Exception[] = []) => {
        const { live, exceptions } = given;
        const policy = { version: 1, maxLifetime, exceptions: [...exceptions, ...accepted] } as const;
        const result = auditTokens({ baseUrl, credential, live, stacks: statesOf(given), now, policy });
        const named = nameMakers(result, { describe });
        expect(named.findings.map(({ fingerprint }) => fingerprint)).toEqual(
          result.findings.map(({ fingerprint }) => fingerprint),
        );
        return named;
      };
      // Everything that is wrong before is accepted, so that only the mutation can fail the audit.
      const { findings } = judge(before);
      const declared = new Set([...before.tokens, ...before.others, ...before.terraform].map(({ id }) => id));
      for (const { rule, token } of findings) expect(rule === "undeclared" && declared.has(token.id ?? "")).toBe(false);
      const accepted = accepting(findings);
      expect(judge(before, accepted).failed).toBe(false);
      let failed = true;
      try {
        failed = judge(after, accepted).failed;
      } catch (e) {
        expect((e as Error).message).toContain("Nothing was audited."); // exit code 2
      }
      expect(failed).toBe(true);
    }),
    { numRuns: 2 * runsOf(150) },
  );
});
