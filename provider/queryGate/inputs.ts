import { asJson, asText, type Canonical } from "../../framework/compare";
import type { Hints } from "../../framework/identity";
import type { Bag, CheckFailure } from "../../framework/lifecycle";
import {
  checkFields,
  duration,
  hintRules,
  nonEmptyText,
  oneOf,
  type Rule,
  ruleOf,
  scalars,
} from "../../framework/rules";
import { hasUnknown } from "../../framework/unknown";
import { parseDuration } from "../../values/duration";
import { type Expectation, expectation, type GateValue } from "./expectation";

/** The inputs of a gate, as its arguments describe them. */
export interface QueryGateInputs extends Hints {
  readonly apl: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly expect: Expectation;
  readonly every?: string;
  readonly for?: string;
  readonly settle?: string;
  readonly noData?: "fail" | "pass";
  readonly warnings?: "show" | "fail";
  readonly triggers: Readonly<Record<string, string | number | boolean>>;
}

/** The state of a gate that passed. */
export interface QueryGateState extends QueryGateInputs {
  readonly value?: GateValue;
  readonly attempts?: number;
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
  warnings: oneOf("show", "fail"),
  triggers: ruleOf(
    "must be an object of strings, numbers and booleans, with at least one: without a change a gate is not evaluated again",
    (value) => scalars(value).length === 0 && Object.keys(value as object).length > 0,
  ),
  ...hintRules,
} satisfies Record<keyof QueryGateInputs, Rule>;

/** How long a gate goes on, if nothing is declared. */
export const defaultLimit = "5m";

/** A duration that has been checked. */
export const millisecondsOf = (text: string): number => parseDuration(text)?.milliseconds ?? 0;

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
  warnings: (value: unknown) => (value === "show" ? undefined : asText(value)),
  triggers: asJson,
  key: ignored,
  secretInputs: ignored,
} satisfies Record<keyof QueryGateInputs, Canonical>;

/** Every unusable input. */
export function checkQueryGate(news: Bag): CheckFailure[] {
  const failures = checkFields(rules, news);
  return failures.length > 0 ? failures : checkDurations(news);
}

function checkDurations(news: Bag): CheckFailure[] {
  const read = (key: string, otherwise: string) =>
    hasUnknown(news[key]) ? undefined : parseDuration(String(news[key] ?? otherwise));
  const durations = { every: read("every", "0s"), for: read("for", defaultLimit), settle: read("settle", "0s") };
  const inMonths = Object.entries(durations).filter(([, duration]) => (duration?.months ?? 0) > 0);
  if (inMonths.length > 0) return inMonths.map(([property]) => ({ property, reason: "must not be counted in months" }));
  const { milliseconds: limit = Number.POSITIVE_INFINITY } = durations.for ?? {};
  const named = `for${news.for === undefined ? ` (${defaultLimit})` : ""}`;
  const { every, settle } = durations;
  return [
    ...(every && every.milliseconds > limit ? [{ property: "every", reason: `must not be longer than ${named}` }] : []),
    // The value is first seen when the first query has been answered, so it cannot hold for all of the time.
    ...(settle && settle.milliseconds >= limit
      ? [{ property: "settle", reason: `must be shorter than ${named}` }]
      : []),
  ];
}
