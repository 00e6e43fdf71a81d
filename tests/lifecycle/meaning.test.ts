import { test } from "@jest/globals";
import fc from "fast-check";
import type { ApiTokenInputs, ApiTokenState } from "../../provider/nouns/apiToken/definition";
import { apiToken } from "../../provider/nouns/apiToken/lifecycle";
import { runsOf } from "../fuzz/random";
import { planOf } from "../support/host";

const actions = fc.subarray(["create", "read", "update", "delete"], { minLength: 1 });
const grants = fc
  .record({ users: actions, apiTokens: actions, rbac: actions, annotations: actions }, { requiredKeys: [] })
  .filter((keys) => Object.keys(keys).length > 0);
const moment = fc.date({ min: new Date("2027-01-01"), max: new Date("2090-01-01"), noInvalidDate: true });

/** A spec whose every field is there, so that each can be taken away or changed. */
const spec = fc.record({
  name: fc.string({ minLength: 1 }),
  description: fc.string({ minLength: 1 }),
  expiresAt: moment.map((date) => date.toISOString()),
  orgCapabilities: grants,
  datasetCapabilities: fc.dictionary(fc.string({ minLength: 1 }), grants, { minKeys: 1, maxKeys: 3 }),
  key: fc.constant("ci"),
}) as fc.Arbitrary<ApiTokenInputs & { expiresAt: string }>;

/** A token as it was declared. */
const stateOf = (declared: ApiTokenInputs): ApiTokenState => ({ ...declared, record: {} });

/** Decides a spelling: one number a choice. A stream of fast-check's remembers each of them, which takes most of the time. */
function choicesFrom(seed: number): () => number {
  let state = seed;
  return () => {
    // xorshift
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % 1009;
  };
}
const seeds = fc.integer({ min: 1 });

/** The same value with keys and lists of strings in another order, and empty members added. */
function respell(value: unknown, next: () => number): unknown {
  const shuffled = <T>(list: readonly T[]): T[] =>
    list
      .map((item) => ({ item, at: next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  if (Array.isArray(value)) return next() % 3 === 0 ? [...shuffled(value), ...value.slice(0, 1)] : shuffled(value);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, respell(member, next)] as const);
  const empty = next() % 2 === 0 ? [["another key", next() % 2 === 0 ? [] : {}] as const] : [];
  return Object.fromEntries(shuffled([...members, ...empty]));
}

/** The same instant in another zone, with more digits. */
const respellInstant = (text: string) =>
  new Date(Date.parse(text) + 330 * 60_000).toISOString().replace("Z", "000+05:30");

test("no reordering and no respelling of a spec is a change", () => {
  fc.assert(
    fc.property(spec, seeds, (declared, seed) => {
      const next = choicesFrom(seed);
      const expiresAt = respellInstant(declared.expiresAt);
      const respelled = { ...(respell(declared, next) as ApiTokenInputs), expiresAt };
      const { changes, replaces } = apiToken.diff("t1", stateOf(declared), respelled, planOf());
      if (changes || replaces.length > 0) throw new Error(`a change of ${replaces}: ${JSON.stringify(respelled)}`);
    }),
    { numRuns: runsOf(1_000) },
  );
});

test("every change of a spec's meaning is one, and names its field", () => {
  const another: { readonly [field: string]: (value: never) => unknown } = {
    name: (value: string) => `${value}x`,
    description: (value: string) => `${value}x`,
    expiresAt: (value: string) => new Date(Date.parse(value) + 1).toISOString(),
    orgCapabilities: (value: object) => ({ ...value, billing: ["read"] }),
    datasetCapabilities: (value: object) => Object.fromEntries(Object.entries(value).slice(1)),
  };
  fc.assert(
    fc.property(spec, fc.constantFrom(...Object.keys(another)), fc.boolean(), (declared, field, removed) => {
      const value = declared[field as keyof ApiTokenInputs] as never;
      const gone = removed && field !== "name";
      const changed = { ...declared, [field]: gone ? undefined : another[field]?.(value) };
      const { replaces } = apiToken.diff("t1", stateOf(declared), changed as ApiTokenInputs, planOf());
      if (String(replaces) !== field) throw new Error(`${field} was changed, and "${replaces}" is replaced`);
    }),
    { numRuns: runsOf(1_000) },
  );
});
