import { parseDuration } from "../values/duration";
import { canonicalInstant } from "../values/instant";
import { isObject } from "../values/json";
import { suggestName } from "../values/nearestName";
import type { ResourceDefinition } from "./definition";
import { isSecretInput, secretsOfAll } from "./identity";
import type { Bag, CheckFailure } from "./lifecycle";
import { hasPart, hasUnknown } from "./unknown";

/**
 * Judges the known value of one input: the reasons why it cannot be used, and where in it.
 * @param isSecret whether the input is secret, in whole or in part: then the result has no name that the program chose
 */
export type Rule = (value: unknown, isSecret?: boolean) => readonly { readonly at?: string; readonly reason: string }[];

export const ruleOf =
  (reason: string, holds: (value: unknown) => boolean): Rule =>
  (value) =>
    holds(value) ? [] : [{ reason }];

/** NaN and infinite numbers would be sent and recorded as null. */
const isInfinite = (part: unknown): boolean => typeof part === "number" && !Number.isFinite(part);

const isText = (value: unknown): value is string => typeof value === "string";
const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((v) => isText(v) && v !== "");

export const text = ruleOf("must be a string", isText);
export const nonEmptyText = ruleOf("must be a string that is not empty", (value) => isText(value) && value !== "");
/** An object of any inner structure. */
export const object: Rule = (value) => {
  if (!isObject(value)) return [{ reason: "must be an object" }];
  return hasPart(value, isInfinite) ? [{ reason: "must hold finite numbers only: JSON has no others" }] : [];
};
export const instant = ruleOf(
  "must be an RFC 3339 instant with a time zone, such as 2027-01-01T00:00:00Z",
  (value) => isText(value) && canonicalInstant(value) !== undefined,
);
export const duration = ruleOf(
  "must be a duration such as 36h, 14d or P90D (ISO 8601), longer than nothing",
  (value) => isText(value) && Object.values(parseDuration(value) ?? {}).some((part) => part > 0),
);
export const oneOf = (...allowed: readonly string[]): Rule =>
  ruleOf(`must be one of ${allowed.join(", ")}`, (value) => isText(value) && allowed.includes(value));
/** A value whose change shows: NaN is recorded as null. */
export const isScalar = (value: unknown): boolean =>
  Number.isFinite(value) || ["string", "boolean"].includes(typeof value);

export const scalars = ruleOf(
  "must be an object of strings, finite numbers and booleans",
  (value) => isObject(value) && Object.values(value).every(isScalar),
);
export const nonEmptyTextList = ruleOf(
  "must be a list of at least one string, none of them empty",
  (value) => isTextList(value) && value.length > 0,
);

export const boolean = ruleOf("must be true or false", (value) => typeof value === "boolean");
export const httpUrl = ruleOf(
  "must be an address such as https://ci.example.com/runs/7",
  (value) => isText(value) && (value === "" || (/^https?:/i.test(value) && URL.canParse(value))),
);
export const textUpTo = (max: number): Rule =>
  ruleOf(`must be at most ${max} characters long`, (value) => isText(value) && [...value].length <= max);
export const typeName = (max: number): Rule =>
  ruleOf(
    `must be lower-case letters, digits and hyphens, at most ${max} of them`,
    (value) => isText(value) && /^[a-z0-9-]+$/.test(value) && value.length <= max,
  );

/** An object whose members are lists of strings. */
export const textLists: Rule = (value, isSecret) =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, list]) =>
        list === undefined || isTextList(list)
          ? []
          : [{ ...(isSecret ? {} : { at: key }), reason: "must be a list of strings, none of them empty" }],
      )
    : [{ reason: 'must be an object such as { apiTokens: ["read"] }' }];

/** An object with known members, each with a rule of its own. */
export const members =
  (rules: Readonly<Record<string, Rule>>): Rule =>
  (value, isSecret) =>
    isObject(value)
      ? checkFields(rules, value, isSecret).map(({ property, reason }) =>
          property === "" ? { reason } : { at: property, reason },
        )
      : [{ reason: `must be an object with ${Object.keys(rules).join(", ")}` }];

/** Inputs that no user declares: an error does not offer them. */
const hints: readonly string[] = ["key", "chosenName", "secretInputs"];

function refuseUnknown(key: string, rules: Readonly<Record<string, Rule>>, isSecret: boolean): CheckFailure {
  const known = Object.keys(rules).filter((name) => !hints.includes(name));
  const all = `the inputs are ${known.join(", ")}`;
  return isSecret
    ? { property: "", reason: `has a member that is not known; ${all}` }
    : { property: key, reason: `is not known${suggestName(key, known) || ";"} ${all}` };
}

/** Rules for the hints that an adapter adds. */
export const hintRules = { key: nonEmptyText, secretInputs: nonEmptyTextList } as const;

/**
 * Applies each input's rule. An input without a rule is a failure: it would be dropped silently.
 * @param isSecret whether all of these are members of an input that is secret
 */
export function checkFields(rules: Readonly<Record<string, Rule>>, inputs: Bag, isSecret = false): CheckFailure[] {
  const marks = secretsOfAll(inputs);
  return Object.entries(inputs).flatMap(([key, value]) => {
    if (value === undefined || value === null || hasUnknown(value)) return [];
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (!rule) return [refuseUnknown(key, rules, isSecret)];
    return rule(value, isSecret || isSecretInput(marks, key)).map(({ at, reason }) => ({
      property: at === undefined ? key : `${key}.${at}`,
      reason,
    }));
  });
}

/** A failure for an input that is absent; `required` is as in its definition. */
export function requireInput(inputs: Bag, property: string, required: true | string = true): CheckFailure[] {
  if ((inputs[property] ?? null) !== null) return [];
  return [{ property, reason: required === true ? "is missing" : `is missing: ${required}` }];
}

/** A failure for each required argument that is absent. */
export const findMissing = ({ properties }: ResourceDefinition, inputs: Bag): CheckFailure[] =>
  Object.entries(properties).flatMap(([property, { required }]) =>
    required === undefined ? [] : requireInput(inputs, property, required),
  );

/** `null` is absent, in every input of every resource. */
export const dropNulls = (inputs: Bag): Bag => withoutNullMembers(inputs) as Bag;

/** Deep in objects. An entry of a list stays: without it the list would mean something else. */
function withoutNullMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullMembers);
  if (!isObject(value)) return value;
  const present = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(present.map(([key, member]) => [key, withoutNullMembers(member)]));
}
