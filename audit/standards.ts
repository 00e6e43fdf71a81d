import { hasUnknown, notKnown } from "../framework/unknown";
import { parseDuration, shift } from "../values/duration";
import { defaultRestricted, fits, type Holder, type Policy } from "./policy";
import { rightsOf } from "./rights";
import type { RuleId } from "./rules";

/**
 * One token as a policy looks at it: a live one, or one that a program plans. What nobody knows yet, which is never so of a
 * live token, is `notKnown`.
 */
export interface Subject {
  readonly id: string | typeof notKnown;
  readonly name: string | typeof notKnown;
  /** `<project>/<stack>` of its declaration; undefined: it is declared nowhere. */
  readonly stack: string | undefined;
  readonly orgCapabilities: unknown;
  /** In milliseconds since the epoch; infinite for never, undefined for what cannot be read. */
  readonly end: number | undefined | typeof notKnown;
}

/** What a policy objects to. */
export type Breach =
  | { readonly rule: "never-expires" | "long-lived" | "misnamed" }
  /** `held`: the rights in question. `restrictions`: the policy's own words for them. */
  | { readonly rule: "over-privileged"; readonly held: readonly string[]; readonly restrictions: readonly string[] }
  /** What has to be known to tell, and the rules that ask for it. */
  | { readonly rule: "unjudged"; readonly what: string; readonly rules: readonly RuleId[] };

/**
 * What a policy demands of every token, whoever looks at it: the audit at a live one, the policy pack at a planned one.
 * @param now milliseconds since the epoch
 */
export function* breaches(subject: Subject, policy: Policy, now: number): Generator<Breach> {
  yield* breachesOfEnd(subject, policy, now);
  yield* breachesOfRestrictions(subject, policy.restricted ?? defaultRestricted);
  const { names } = policy;
  if (!names) return;
  if (subject.name === notKnown) yield { rule: "unjudged", what: "name", rules: ["misnamed"] };
  else if (!names.some((pattern) => fits(pattern, subject.name as string))) yield { rule: "misnamed" };
}

function* breachesOfEnd({ end }: Subject, policy: Policy, now: number): Generator<Breach> {
  const limit = longestEnd(policy, now);
  if (end === notKnown) {
    const rules: readonly RuleId[] = limit === undefined ? ["never-expires"] : ["never-expires", "long-lived"];
    return yield { rule: "unjudged", what: "expiry", rules };
  }
  if (end === Number.POSITIVE_INFINITY) yield { rule: "never-expires" };
  // An end that cannot be read may be any time, so it is beyond every limit.
  if (limit !== undefined && (end === undefined || end > limit)) yield { rule: "long-lived" };
}

/** After when an expiry is too far away, in milliseconds since the epoch; undefined: never. */
export const longestEnd = ({ maxLifetime = "" }: Policy, now: number): number | undefined =>
  momentAfter(now, maxLifetime);

/** The moment that lies a duration after another, both in milliseconds since the epoch. */
export function momentAfter(now: number, text: string): number | undefined {
  const duration = parseDuration(text);
  return duration && shift(new Date(now), duration, 1).getTime();
}

function* breachesOfRestrictions(subject: Subject, restricted: NonNullable<Policy["restricted"]>): Generator<Breach> {
  const rights = [...rightsOf(subject.orgCapabilities).values()];
  const isOpen = hasUnknown(subject.orgCapabilities);
  const held = new Set<string>();
  const restrictions: string[] = [];
  let perhaps = false;
  for (const { capability, holders = [] } of restricted) {
    const answers = holders.map((holder) => isHolder(holder, subject));
    if (answers.includes(true)) continue;
    const found = rights.filter((one) => fits(capability, one));
    // Whether it is a holder decides only about a right that it has, or may have.
    if (isOpen || (found.length > 0 && answers.includes(undefined))) perhaps = true;
    if (found.length === 0 || answers.includes(undefined)) continue;
    restrictions.push(capability);
    for (const one of found) held.add(one);
  }
  if (held.size > 0) yield { rule: "over-privileged", held: [...held].sort(), restrictions };
  if (perhaps) {
    const what = isOpen ? "orgCapabilities" : "whether it is a holder";
    yield { rule: "unjudged", what, rules: ["over-privileged"] };
  }
}

/** Whether a token is a holder; undefined if that cannot be told. */
function isHolder({ id, name, stack }: Holder, subject: Subject): boolean | undefined {
  // A token that is declared nowhere can be named by its id only: whoever makes tokens chooses their names.
  if (id === undefined && subject.stack === undefined) return false;
  const answers = [
    id === undefined || (subject.id === notKnown ? undefined : id === subject.id),
    name === undefined || (subject.name === notKnown ? undefined : fits(name, subject.name)),
    stack === undefined || (subject.stack !== undefined && fits(stack, subject.stack)),
  ];
  if (answers.includes(false)) return false;
  return answers.includes(undefined) ? undefined : true;
}
