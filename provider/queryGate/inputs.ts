import { asJson, asText, type Canonical } from "../../framework/compare";
import type { Hints } from "../../framework/identity";
import type { Bag, CheckFailure } from "../../framework/lifecycle";
import { checkFields, duration, hintRules, nonEmptyText, oneOf, type Rule, ruleOf } from "../../framework/rules";
import { hasUnknown } from "../../framework/unknown";
import { parseDuration } from "../../values/duration";
import { isObject } from "../../values/json";
import { type Expectation, expectation, type GateValue } from "./expectation";

/** The inputs of a gate. */
export interface QueryGateInputs extends Hints {
  /** The query. */
  readonly apl: string;
  /** The start of the time that it looks at. */
  readonly startTime: string;
  /** The end of that time. */
  readonly endTime: string;
  /** The bounds. */
  readonly expect: Expectation;
  /** How long to wait between two attempts. */
  readonly every?: string;
  /** How long to go on. */
  readonly for?: string;
  /** For how long the value must hold without a break. */
  readonly settle?: string;
  /** Whether no data passes. */
  readonly noData?: "fail" | "pass";
  /** A change of any of these evaluates the gate again. */
  readonly triggers: Readonly<Record<string, string | number | boolean>>;
}

/** The state of a gate that passed. */
export interface QueryGateState extends QueryGateInputs {
  /** The value that passed; none if there was no data. */
  readonly value?: GateValue;
  /** How many attempts it took. */
  readonly attempts?: number;
  /** When it passed: an RFC 3339 instant. */
  readonly passedAt?: string;
}

const rules = {
  apl: nonEmptyText,
  startTime: nonEmptyText,
  endTime: nonEmptyText,
  expect: expectation,
  every: duration,
  for: duration,
  settle: duration,
  noData: oneOf("fail", "pass"),
  triggers: ruleOf(
    "must be an object of strings, numbers and booleans, with at least one: without a change a gate is not evaluated again",
    (value) => {
      const members = isObject(value) ? Object.values(value) : [];
      return members.length > 0 && members.every((member) => /^(string|number|boolean)$/.test(typeof member));
    },
  ),
  ...hintRules,
} satisfies Record<keyof QueryGateInputs, Rule>;

/** How long a gate goes on, if nothing is declared. */
export const defaultLimit = "5m";

/** A duration that has been checked. */
export const millisecondsOf = (text: string): number => parseDuration(text)?.milliseconds ?? 0;

/** The required inputs, with the reason if one is missing. */
const required = {
  apl: "is missing",
  startTime: "is missing",
  endTime: "is missing",
  expect: "is missing: the bounds of the value, such as { max: 5 }",
  triggers: [
    "is missing: a gate is evaluated only when one of them changes; give what is being deployed,",
    "such as { image: canary.imageDigest }",
  ].join(" "),
} as const satisfies Partial<Record<keyof QueryGateInputs, string>>;

/** For inputs that do not decide whether a gate passes. */
const ignored: Canonical = () => undefined;

/** How each input is compared. */
export const queryGateComparisons = {
  apl: asText,
  startTime: asText,
  endTime: asText,
  expect: asJson,
  every: ignored,
  for: ignored,
  settle: asText,
  noData: (value: unknown) => (value === "fail" ? undefined : asText(value)),
  triggers: asJson,
  key: ignored,
  secretInputs: ignored,
} satisfies Record<keyof QueryGateInputs, Canonical>;

/** Every unusable input. */
export function checkQueryGate(news: Bag): CheckFailure[] {
  const failures = checkFields(rules, news);
  for (const [key, reason] of Object.entries(required)) {
    if (news[key] === undefined || news[key] === null) failures.push({ property: key, reason });
  }
  return failures.length > 0 ? failures : durationFailures(news);
}

function durationFailures(news: Bag): CheckFailure[] {
  const failures: CheckFailure[] = [];
  const known = (key: "every" | "for" | "settle", otherwise: string) =>
    hasUnknown(news[key]) ? undefined : String(news[key] ?? otherwise);
  const [every, limit, settle] = [known("every", "0s"), known("for", defaultLimit), known("settle", "0s")];
  for (const [property, text] of Object.entries({ every, for: limit, settle })) {
    if (text !== undefined && (parseDuration(text)?.months ?? 0) > 0) {
      failures.push({ property, reason: "must not be counted in months" });
    }
  }
  if (failures.length > 0 || limit === undefined) return failures;
  const named = `for${news.for === undefined ? ` (${limit})` : ""}`;
  if (every !== undefined && millisecondsOf(every) > millisecondsOf(limit)) {
    failures.push({ property: "every", reason: `must not be longer than ${named}` });
  }
  // The value is first seen when the first query has been answered, so it cannot hold for all of the time.
  if (settle !== undefined && millisecondsOf(settle) >= millisecondsOf(limit)) {
    failures.push({ property: "settle", reason: `must be shorter than ${named}` });
  }
  return failures;
}
