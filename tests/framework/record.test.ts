import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { ResourceDefinition } from "../../framework/definition";
import { join, type Split, secretRecord, split } from "../../framework/record";
import { resourceDefinitions } from "../../provider/eventDatasets";
import { apiTokenDefinition } from "../../provider/nouns/apiToken/definition";

/** All that the engine stores as it is. */
const plainPart = ({ values, secrets }: Split): string =>
  JSON.stringify(Object.entries(values).filter(([name]) => !secrets.includes(name)));

const definitions = Object.values(resourceDefinitions);
const propertiesOf = ({ properties }: ResourceDefinition) => Object.entries(properties);
const everyProperty = definitions.flatMap((definition) =>
  propertiesOf(definition).map(([name, property]) => [definition.name, name, property, definition] as const),
);

describe("if any argument is secret", () => {
  test.each(everyProperty)("%s: %s", (_, name, property, definition) => {
    const { kind, secret, derives, parts = {}, plain = [] } = property;
    if (name === "secretInputs") return;
    if (kind === "record") {
      const open = Object.fromEntries(plain.map((member) => [member, "open"]));
      const stored = split(definition, { record: { ...open, other: "told" }, secretInputs: ["x"] });
      expect(stored.values).toMatchObject({ record: open, [secretRecord]: { other: "told" } });
      expect(plainPart(stored)).not.toContain("told");
      return;
    }
    const isSecretWith = (...secretInputs: string[]) =>
      split(definition, { [name]: "told", secretInputs }).secrets.includes(name);
    expect(isSecretWith()).toBe(secret === true);
    expect(isSecretWith(name)).toBe(true);
    expect(isSecretWith("another argument")).toBe(secret === true || derives === true);
    if (typeof derives === "string") expect(isSecretWith(derives)).toBe(true);
    for (const [part, of] of Object.entries(parts))
      expect(split(definition, { [name]: { [part]: "x" } }).secrets).toEqual(of === "secret" ? [name] : []);
  });

  test("ids, flags, the fingerprint and the evidence of the account stay plain", () => {
    const shown = { name: "n", fingerprint: "abc" };
    const record = { drifted: ["name"], replaced: [{ id: "t0" }] };
    const hidden = { ...record, declared: { name: "told" } };
    const state = { ...shown, key: "a", evidence: "0a0a t2", record: hidden, secretInputs: ["description"] };
    const stored = split(apiTokenDefinition, state);
    expect(stored.values).toMatchObject({ ...shown, key: "a|0a0a t2", record });
    expect([stored.secrets, plainPart(stored).includes("told")]).toEqual([[secretRecord], false]);
  });
});

const names = fc.constantFrom("__proto__", "constructor", "declared", "replaced", "toString", "a");
const bag = fc.dictionary(names, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 });

test("to split a state and to join it again changes nothing, whatever is in it", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...definitions),
      fc.record({
        key: fc.string({ minLength: 1 }),
        evidence: fc.stringMatching(/^[^|]+$/),
        time: fc.option(fc.string(), { nil: undefined }),
        record: bag,
        secretInputs: fc.subarray(["name", "time"]),
      }),
      fc.boolean(),
      (definition, { record, evidence, ...rest }, isNamed) => {
        // A service can answer without fields that are never absent elsewhere.
        const inputs = { ...(isNamed && { name: "x", datasets: ["x"], query: "x" }), ...rest };
        const { properties } = definition;
        const state = { ...inputs, ...(properties.record && { record }), ...(properties.evidence && { evidence }) };
        const { values, secrets } = split(definition, state);
        expect(join(definition, values)).toEqual(state);
        for (const name of secrets) expect(Object.hasOwn(values, name)).toBe(true);
      },
    ),
  );
});

test("the state of a lookup is read as it is, whatever its key", () => {
  for (const key of ["a", "a|b", "|"]) expect(join(apiTokenDefinition, { key })).toEqual({ key });
});

test("a part that is not there, or that an altered state has in another form, is no failure", () => {
  const own = { key: "ci", name: "ci" };
  for (const part of [undefined, null, "text", 7])
    expect(join(apiTokenDefinition, { ...own, record: part, [secretRecord]: part })).toEqual({ ...own, record: {} });
  const hidden = { ...own, [secretRecord]: { declared: "x" } };
  expect(join(apiTokenDefinition, hidden)).toEqual({ ...own, record: { declared: "x" } });
  // An import, or a lookup.
  expect(join(apiTokenDefinition, { key: "ci" })).toEqual({ key: "ci" });
  // An object of which the service shows nothing; a state of another provider.
  expect(join(apiTokenDefinition, split(apiTokenDefinition, { key: "ci", record: {} }).values)).toHaveProperty(
    "record",
  );
  expect(join(apiTokenDefinition, { token: "x" })).toEqual({ token: "x", record: {} });
  for (const record of [undefined, null, "text"]) {
    expect(split(apiTokenDefinition, { record, secretInputs: ["name"] })).toEqual({
      values: { record, secretInputs: ["name"] },
      secrets: [],
    });
  }
});
