import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Property, ResourceDefinition } from "../../framework/definition";
import { join, type Split, secretRecord, split } from "../../framework/record";
import { Update } from "../../framework/update";
import { Account } from "../../provider/account/presence";
import { apiTokenDefinition } from "../../provider/apiToken/definition";
import type { ApiTokenInputs, ApiTokenState } from "../../provider/apiToken/lifecycle";
import { listPredecessors } from "../../provider/apiToken/retirement";
import { newState } from "../../provider/apiToken/state";
import { resourceDefinitions } from "../../provider/nouns";
import { runsOf } from "../fuzz/random";
import { testTime } from "../support/session";

/** All that the engine stores as it is. */
const plainPart = ({ values, secrets }: Split): string =>
  JSON.stringify(Object.entries(values).filter(([name]) => !secrets.includes(name)));

const definitions = Object.values(resourceDefinitions);
const propertiesOf = ({ properties }: ResourceDefinition) => Object.entries(properties);

/** One entry for each thing that derives from an input, in every table. */
const tableOf = (pick: (name: string, property: Property) => readonly (readonly [string, readonly string[]])[]) =>
  definitions.flatMap((definition) =>
    propertiesOf(definition).flatMap(([name, property]) =>
      pick(name, property).flatMap(([derived, inputs]) =>
        inputs.map((input) => [definition.name, derived, input, definition] as const),
      ),
    ),
  );
const derivedProperties = tableOf((name, { derivesFrom = [] }) => [[name, derivesFrom]]);
const derivedMembers = tableOf((_, { members = {} }) => Object.entries(members));

describe("each entry of the tables", () => {
  test("is there: without any, nothing below would be tested", () => {
    expect([derivedProperties.length, derivedMembers.length].every((count) => count > 5)).toBe(true);
  });

  test.each(derivedProperties)("%s: %s is secret if %s is", (_, derived, input, definition) => {
    const state = { key: "a", [derived]: "told", record: { origin: "created" } };
    expect(split(definition, { ...state, secretInputs: [input] }).secrets).toContain(derived);
    expect(split(definition, { ...state, secretInputs: ["another"] }).secrets).toEqual([]);
    expect(split(definition, state).secrets).toEqual([]);
  });

  test.each(derivedMembers)("%s: the member %s of the record is secret if %s is", (_, member, input, definition) => {
    const record = { origin: "created", [member]: "told" };
    const state = { key: "a", record, secretInputs: [input] };
    const stored = split(definition, state);
    expect(stored.values).toMatchObject({ record: { origin: "created" }, [secretRecord]: { [member]: "told" } });
    expect(stored.secrets).toContain(secretRecord);
    expect(plainPart(stored)).not.toContain("told");
    expect(join(definition, stored.values)).toEqual(state);
    const open = { ...state, secretInputs: ["another"] };
    expect(split(definition, open)).toEqual({ values: open, secrets: [] });
  });

  test.each(
    definitions.flatMap((definition) => propertiesOf(definition).map((entry) => [definition, ...entry] as const)),
  )(
    "%p: a declared secret is one, and what is always secret is it without being declared",
    (definition, name, { secret, secretWith, kind }) => {
      if (kind === "record" || name === "secretInputs") return;
      expect(split(definition, { [name]: "told", secretInputs: [name] }).secrets).toContain(name);
      expect(split(definition, { [name]: "told" }).secrets).toEqual(secret ? [name] : []);
      if (secretWith === undefined) return;
      expect(split(definition, { [name]: { [secretWith]: "told" } }).secrets).toEqual([name]);
      expect(split(definition, { [name]: { other: "open" } }).secrets).toEqual([]);
    },
  );
});

const names = fc.constantFrom("__proto__", "constructor", "declared", "origin", "predecessors", "toString", "a");
const inputs = [...new Set([...derivedProperties, ...derivedMembers].map(([, , input]) => input))];
const bag = fc.dictionary(names, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 });

test("to split a state and to join it again changes nothing, whatever is in it", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...definitions),
      fc.record({ name: fc.string(), time: fc.string(), record: bag, secretInputs: fc.subarray(inputs) }),
      fc.boolean(),
      (definition, { record, ...rest }, hasRecord) => {
        const state = hasRecord ? { ...rest, record } : rest;
        const { values, secrets } = split(definition, state);
        const { otherwise } = definition.properties.record ?? {};
        const foreign = hasRecord || otherwise === undefined ? {} : { record: otherwise };
        expect(join(definition, values)).toEqual({ ...state, ...foreign });
        for (const name of secrets) expect(Object.hasOwn(values, name)).toBe(true);
      },
    ),
  );
});

test("a part that is not there, or that an altered state has in another form, is no failure", () => {
  for (const hidden of [undefined, null, "text", 7]) {
    const stored = { name: "ci", record: { origin: "created" }, [secretRecord]: hidden };
    expect(join(apiTokenDefinition, stored)).toEqual({ name: "ci", record: { origin: "created" } });
  }
  expect(join(apiTokenDefinition, { [secretRecord]: { declared: "x" } })).toEqual({ record: { declared: "x" } });
  for (const record of [undefined, null, "text"]) {
    expect(split(apiTokenDefinition, { record, secretInputs: ["name"] })).toEqual({
      values: { record, secretInputs: ["name"] },
      secrets: [],
    });
  }
});

/** The declared value of each field, and the one in the response. Each field has marks of its own. */
const fields = {
  name: ["canary-name", "canary-name, altered"],
  description: [" canary-description ", "canary-description"],
  expiresAt: ["2091-01-01T00:00:00Z", "2092-02-02T00:00:00Z"],
  orgCapabilities: [{ users: ["canary-orgCapabilities"] }, { users: ["canary-orgCapabilities", "read"] }],
  datasetCapabilities: [{ "canary-datasetCapabilities": { query: ["read"] } }, { "canary-datasetCapabilities": {} }],
} as const;
const fieldNames = Object.keys(fields) as (keyof typeof fields)[];
const marksOf = (name: string): RegExp => (name === "expiresAt" ? /2091|2092/ : new RegExp(`canary-${name}`));

const valuesOf = (at: 0 | 1) => Object.fromEntries(fieldNames.map((name) => [name, fields[name][at]]));

test("of a token whose fields the service altered, nothing derived from a secret input stays in plain", () => {
  const able = { can: () => true };
  const account = new Account({ baseUrl: "http://127.0.0.1:1" }, async () => undefined);
  fc.assert(
    fc.property(fc.subarray(fieldNames), fc.subarray(fieldNames), (secretInputs, secretBefore) => {
      const declared = { ...valuesOf(0), key: "a", secretInputs } as unknown as ApiTokenInputs;
      const update = new Update();
      const record = { origin: "created" } as const;
      const before = { ...valuesOf(1), key: "a", secretInputs: secretBefore, record } as unknown as ApiTokenState;
      update.replace("a", { id: "t0", state: before });
      const { state } = newState(declared, undefined, valuesOf(1) as never, testTime, {
        origin: "created",
        predecessors: listPredecessors({ update, client: able, account }, declared, new Set()),
      });
      const stored = split(apiTokenDefinition, { ...state });
      for (const name of secretInputs) expect(plainPart(stored)).not.toMatch(marksOf(name));
      const told = JSON.stringify(state.record.predecessors);
      for (const name of [...secretInputs, ...secretBefore]) expect(told).not.toMatch(marksOf(name));
      for (const name of fieldNames) if (secretInputs.length === 0) expect(plainPart(stored)).toMatch(marksOf(name));
      expect(join(apiTokenDefinition, stored.values)).toEqual(state);
    }),
    { numRuns: runsOf(500) },
  );
});
