import fc from "fast-check";
import { anyCharacter } from "../support/hostile";

/** Stands in values and keys of answers: no error may say it. */
export const bodyCanary = "cnry-of-a-body-6b1f0d93c7";

/** Values that a careless or hostile service could send anywhere. */
const leaves = fc.oneof(
  fc.constantFrom(
    ...["null", "true", "false", "0", "-0", "-1", "1e400", "1e-400", "12345678901234567890", "0.1"],
    ...["[]", "{}", '""', `"${bodyCanary}"`, '"2026-11-20T00:00:00Z"', '"\\u0000"', '"\\ud800"', '"__proto__"'],
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.string({ unit: anyCharacter, maxLength: 8 }).map((text) => JSON.stringify(text)),
);

/** Keys that mean something to the language. */
const trapKeys = ["__proto__", "constructor", "prototype", "toString", "then", "toJSON", "length", "", bodyCanary];

/** The text of an object: by text, a key can be there twice and may be `__proto__`. */
const objectText = (members: readonly (readonly [string, string])[]): string =>
  `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`;

/**
 * The text of any JSON, often with keys that are read.
 * @param keys the keys that are read
 * @param special values of some keys, in place of any
 */
export function jsonText(
  keys: readonly string[],
  special: Readonly<Record<string, fc.Arbitrary<string>>> = {},
): fc.Arbitrary<string> {
  const key = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...keys) },
    { weight: 2, arbitrary: fc.constantFrom(...trapKeys) },
    { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
  );
  return fc.letrec<{ value: string; member: readonly [string, string] }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      leaves,
      fc.array(tie("value"), { maxLength: 3 }).map((members) => `[${members.join(",")}]`),
      fc.array(tie("member"), { maxLength: 5 }).map(objectText),
    ),
    member: key.chain((name) =>
      fc.tuple(fc.constant(name), Object.hasOwn(special, name) ? (special[name] ?? leaves) : tie("value")),
    ),
  })).value;
}

/** The text of an object that fits, with some members put in its place: the last of two of a name counts. */
export const nearlyFitting = (base: object, member: fc.Arbitrary<readonly [string, string]>): fc.Arbitrary<string> =>
  fc
    .array(member, { maxLength: 4 })
    .map((others) =>
      objectText([...Object.entries(base).map(([key, value]) => [key, JSON.stringify(value)] as const), ...others]),
    );
