import { parseDuration } from "../values/duration";
import { canonicalInstant } from "../values/instant";
import { isObject } from "../values/json";
import { suggestName } from "../values/nearestName";
import { asDuration, asInstant, asJson, asNestedSets, asSet, asText, type Canonical } from "./compare";
import { isSecretInput, secretsOfAll } from "./identity";
import type { Bag, CheckFailure } from "./lifecycle";
import { hasPart, hasUnknown } from "./unknown";

/**
 * Checks the known value of an input, and returns the reasons why it cannot be used, with their places in the value.
 * @param isSecret whether the input is secret, in whole or in part: then the result has no name that the program chose
 */
export type Rule = (value: unknown, isSecret?: boolean) => readonly { readonly at?: string; readonly reason: string }[];

/**
 * The form of a value, for everything that needs it: the compiler, `check` and comparisons.
 * @typeParam T the value for lifecycles
 * @typeParam Arg the value that a program passes
 */
export interface Shape<T = unknown, Arg = T> {
  readonly judge: Rule;
  readonly canonical: Canonical;
  /** Only the compiler uses this. */
  readonly types?: readonly [value: T, argument: Arg];
}

export const shapeOf = <T, Arg = T>(canonical: Canonical, judge: Rule): Shape<T, Arg> => ({ judge, canonical });

/** A shape with one rule. */
export const simple = <T, Arg = T>(
  reason: string,
  holds: (value: unknown) => boolean,
  canonical: Canonical = asJson,
): Shape<T, Arg> => shapeOf(canonical, (value) => (holds(value) ? [] : [{ reason }]));

/** Who chose a name that is not generated: the program, or a pattern of `pulumi:autonaming`. */
export type Choice = true | "proposed";
export const choice = simple<Choice>("is added by the provider", (value) => value === true || value === "proposed");

/** A value that only a lifecycle makes. */
export const made = <T>(): Shape<T> => simple("", () => true);

/** NaN and infinite numbers would be sent and recorded as null. */
const isInfinite = (part: unknown): boolean => typeof part === "number" && !Number.isFinite(part);

const isText = (value: unknown): value is string => typeof value === "string";
const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((v) => isText(v) && v !== "");

export const text = simple<string>("must be a string", isText, asText);
export const nonEmptyText = simple<string>(
  "must be a string that is not empty",
  (value) => isText(value) && value !== "",
  asText,
);
export const integer = simple<number>("must be an integer", Number.isSafeInteger);
export const boolean = simple<boolean>("must be true or false", (value) => typeof value === "boolean");
export const list = simple<readonly object[]>("must be a list", Array.isArray);
export const textList = simple<readonly string[]>(
  "must be a list of strings",
  (value) => Array.isArray(value) && value.every(isText),
);
export const anyObject = simple<object>("must be an object", isObject);
export const instant = simple<string>(
  "must be an RFC 3339 timestamp with a time zone, such as 2027-01-01T00:00:00Z",
  (value) => isText(value) && canonicalInstant(value) !== undefined,
  asInstant,
);
export const duration = simple<string>(
  "must be a duration such as 36h, 14d or P90D (ISO 8601), longer than zero",
  (value) => isText(value) && Object.values(parseDuration(value) ?? {}).some((part) => part > 0),
  asDuration,
);
/** The shapes of simple values, by the kind of the client's reader. */
export const plainShapes = {
  string: text,
  number: simple<number>("must be a finite number", Number.isFinite),
  boolean,
};
export const oneOf = <const T extends string>(...allowed: readonly T[]): Shape<T> =>
  simple(
    `must be one of ${allowed.join(", ")}`,
    (value) => isText(value) && (allowed as readonly string[]).includes(value),
  );

/** Whether changes of a value can be detected. Not those of NaN, which is recorded as null. */
export const isScalar = (value: unknown): boolean =>
  Number.isFinite(value) || ["string", "boolean"].includes(typeof value);
export const scalars = simple<Readonly<Record<string, string | number | boolean>>>(
  "must be an object of strings, finite numbers and booleans",
  (value) => isObject(value) && Object.values(value).every(isScalar),
);
/** A set of names. */
export const names = simple<readonly string[]>(
  "must be a list of at least one string, none of them empty",
  (value) => isTextList(value) && value.length > 0,
  asSet,
);
export const httpUrl = simple<string>(
  "must be an address such as https://ci.example.com/runs/7",
  (value) => isText(value) && (value === "" || (/^https?:/i.test(value) && URL.canParse(value))),
  asText,
);

/** An object of any inner structure, in which lists of strings are sets. Its type also accepts values of interface types. */
export const nestedSets = shapeOf<Readonly<Record<string, unknown>>, object>(asNestedSets, (value) => {
  if (!isObject(value)) return [{ reason: "must be an object" }];
  return hasPart(value, isInfinite) ? [{ reason: "must contain only finite numbers: JSON has no others" }] : [];
});

/** An object whose members are sets of strings. */
export const textLists = <T>(example: string): Shape<T> =>
  shapeOf(asNestedSets, (value, isSecret) =>
    isObject(value)
      ? Object.entries(value).flatMap(([key, entries]) =>
          entries === undefined || isTextList(entries)
            ? []
            : [{ ...(isSecret ? {} : { at: key }), reason: "must be a list of strings, none of them empty" }],
        )
      : [{ reason: `must be an object such as ${example}` }],
  );

type Shapes = Readonly<Record<string, Shape>>;

/** The members of an object, all of them optional, with their doc comments. */
export type MembersOf<Members> = { readonly [Key in keyof Members]?: ValueOf<Members[Key]> | undefined };
type ValueOf<S> = S extends Shape<infer T, unknown> ? T : never;

/** An object with known members, each of which has its own shape. */
export const members = <const Members extends Shapes>(known: Members): Shape<MembersOf<Members>> =>
  shapeOf(asJson, (value, isSecret = false) =>
    isObject(value)
      ? judgeMembers(known, value, isSecret).map(({ property, reason }) =>
          property === "" ? { reason } : { at: property, reason },
        )
      : [{ reason: `must be an object with ${Object.keys(known).join(", ")}` }],
  );

/**
 * Checks each input by its shape. An input without a shape is a failure, because it would otherwise be dropped silently.
 * @param isSecret whether all of these are members of an input that is secret
 * @param offered the inputs that an error offers
 */
export function judgeMembers(
  known: Shapes,
  inputs: Bag,
  isSecret = false,
  offered: readonly string[] = Object.keys(known),
): CheckFailure[] {
  const marks = secretsOfAll(inputs);
  return Object.entries(inputs).flatMap(([key, value]) => {
    const shape = Object.hasOwn(known, key) ? known[key] : undefined;
    if (!shape) return [refuseUnknown(key, offered, isSecret)];
    if (value === undefined || value === null || hasUnknown(value)) return [];
    return shape.judge(value, isSecret || isSecretInput(marks, key)).map(({ at, reason }) => ({
      property: at === undefined ? key : `${key}.${at}`,
      reason,
    }));
  });
}

function refuseUnknown(key: string, offered: readonly string[], isSecret: boolean): CheckFailure {
  const all = `the inputs are ${offered.join(", ")}`;
  return isSecret
    ? { property: "", reason: `has a member that is not known; ${all}` }
    : { property: key, reason: `is not known${suggestName(key, offered) || ";"} ${all}` };
}

/** A failure for an input that is absent; `required` is as in its definition. */
export function requireInput(inputs: Bag, property: string, required: true | string = true): CheckFailure[] {
  if ((inputs[property] ?? null) !== null) return [];
  return [{ property, reason: required === true ? "is missing" : `is missing: ${required}` }];
}

/** `null` is absent, in every input of every resource. */
export const dropNulls = (inputs: Bag): Bag => withoutNullMembers(inputs) as Bag;

/** Deep in objects. An entry of a list stays: without it the list would mean something else. */
function withoutNullMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullMembers);
  if (!isObject(value)) return value;
  const present = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(present.map(([key, member]) => [key, withoutNullMembers(member)]));
}
