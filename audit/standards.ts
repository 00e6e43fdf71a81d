import { type Hints, isSecretInput } from "../framework/identity";
import { hasUnknown, notKnown } from "../framework/unknown";
import { parseDuration, shift } from "../values/duration";
import { expiryTime, readExpiry } from "../values/expiry";
import { isObject } from "../values/json";
import { stackOfUrn } from "./identity";
import { capabilitiesOf } from "./liveToken";
import { defaultRestricted, type Holder, matchesPattern, type Policy } from "./policy";
import type { RuleId } from "./rules";

/**
 * The properties of a live or planned token that a policy checks. A value of a planned token that is not known yet is
 * `notKnown`.
 */
export interface Subject {
  readonly id: string | typeof notKnown;
  readonly name: string | typeof notKnown;
  /** `<project>/<stack>` of its declaration; undefined if no stack declares it. */
  readonly stack: string | undefined;
  readonly orgCapabilities: unknown;
  /** The expiry in milliseconds since the epoch; infinite for never, undefined if it cannot be read. */
  readonly expiryTime: number | undefined | typeof notKnown;
}

/** A violation of a policy. */
export type Breach =
  | { readonly rule: "never-expires" | "long-lived" | "misnamed" }
  /** `held`: the restricted capabilities. `restrictions`: the entries of the policy. */
  | { readonly rule: "over-privileged"; readonly held: readonly string[]; readonly restrictions: readonly string[] }
  /** The missing value, and the rules that need it. */
  | { readonly rule: "unchecked"; readonly what: string; readonly rules: readonly RuleId[] };

/**
 * Checks a token against a policy: a live token in an audit, a planned token in the policy pack.
 * @param now milliseconds since the epoch
 */
export function* findBreaches(subject: Subject, policy: Policy, now: number): Generator<Breach> {
  yield* breachesOfExpiry(subject, policy, now);
  yield* breachesOfRestrictions(subject, policy.restricted ?? defaultRestricted);
  const { names } = policy;
  if (!names) return;
  if (subject.name === notKnown) yield { rule: "unchecked", what: "name", rules: ["misnamed"] };
  else if (!names.some((pattern) => matchesPattern(pattern, subject.name as string))) yield { rule: "misnamed" };
}

function* breachesOfExpiry({ expiryTime }: Subject, policy: Policy, now: number): Generator<Breach> {
  const limit = momentAfter(now, policy.maxLifetime ?? "");
  if (expiryTime === notKnown) {
    const rules: readonly RuleId[] = limit === undefined ? ["never-expires"] : ["never-expires", "long-lived"];
    return yield { rule: "unchecked", what: "expiry", rules };
  }
  if (expiryTime === Number.POSITIVE_INFINITY) yield { rule: "never-expires" };
  // An expiry that cannot be read can be any time, so it exceeds every limit.
  if (limit !== undefined && (expiryTime === undefined || expiryTime > limit)) yield { rule: "long-lived" };
}

/** Adds a duration to an instant in milliseconds since the epoch. */
export function momentAfter(now: number, text: string): number | undefined {
  const duration = parseDuration(text);
  return duration && shift(new Date(now), duration, 1).getTime();
}

function* breachesOfRestrictions(subject: Subject, restricted: NonNullable<Policy["restricted"]>): Generator<Breach> {
  const capabilities = [...capabilitiesOf(subject.orgCapabilities).values()];
  const isOpen = hasUnknown(subject.orgCapabilities);
  const held = new Set<string>();
  const restrictions: string[] = [];
  let perhaps = false;
  for (const { capability, holders = [] } of restricted) {
    const answers = holders.map((holder) => isHolder(holder, subject));
    if (answers.includes(true)) continue;
    const [key, action] = capability.split(":");
    const found = capabilities.filter(
      ({ path, action: held = "" }) => path.length === 1 && path[0] === key && (action === "*" || action === held),
    );
    // It matters only for a capability that the token has, or may have.
    if (isOpen || (found.length > 0 && answers.includes(undefined))) perhaps = true;
    if (found.length === 0 || answers.includes(undefined)) continue;
    restrictions.push(capability);
    for (const { words } of found) held.add(words);
  }
  if (held.size > 0) yield { rule: "over-privileged", held: [...held].sort(), restrictions };
  if (perhaps) {
    const what = isOpen ? "orgCapabilities" : "whether it is a holder";
    yield { rule: "unchecked", what, rules: ["over-privileged"] };
  }
}

/** Whether a token is a holder; undefined if unknown. */
function isHolder({ id, name, stack }: Holder, subject: Subject): boolean | undefined {
  // An undeclared token can be named by its id only: whoever creates tokens chooses their names.
  if (id === undefined && subject.stack === undefined) return false;
  const answers = [
    id === undefined || (subject.id === notKnown ? undefined : id === subject.id),
    name === undefined || (subject.name === notKnown ? undefined : matchesPattern(name, subject.name)),
    stack === undefined || (subject.stack !== undefined && matchesPattern(stack, subject.stack)),
  ];
  if (answers.includes(false)) return false;
  return answers.includes(undefined) ? undefined : true;
}

/** A token that a program declares, before the engine acts on it. */
interface PlannedToken {
  readonly urn: string;
  /** The inputs that the provider's `check` returned. A value that the update computes is `notKnown`. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/**
 * Finds the violations of a planned token, by the same rules as the audit of a live token. The messages quote the policy and no inputs,
 * because inputs can be secrets.
 * @param now milliseconds since the epoch
 */
export const judgePlanned = (token: PlannedToken, policy: Policy, now: number) =>
  [...findBreaches(subjectOf(token, now), policy, now)].map((breach) => ({
    ...breach,
    message: describe(breach, policy, token),
  }));

function subjectOf({ urn, inputs }: PlannedToken, now: number): Subject {
  const { name, adopt, orgCapabilities } = inputs;
  const adopted = isObject(adopt) && typeof adopt.id === "string" ? adopt.id : notKnown;
  return {
    id: adopted,
    name: typeof name === "string" ? name : notKnown,
    stack: stackOfUrn(urn),
    orgCapabilities,
    expiryTime: plannedExpiry(inputs, now),
  };
}

/** The expiry of the token if it is created now. */
function plannedExpiry(inputs: PlannedToken["inputs"], now: number): Subject["expiryTime"] {
  const { expiresAt, expiresIn, adopt } = inputs;
  if ([expiresAt, expiresIn].some(hasUnknown)) return notKnown;
  // An adopted token keeps its own expiry, which is not known here. A declared instant must be equal to it.
  if (adopt !== undefined && expiresAt === undefined) return notKnown;
  if (expiresIn !== undefined) return typeof expiresIn === "string" ? momentAfter(now, expiresIn) : undefined;
  return expiryTime(readExpiry(expiresAt));
}

function describe(breach: Breach, { maxLifetime, names = [] }: Policy, { inputs }: PlannedToken): string {
  switch (breach.rule) {
    case "never-expires":
      return "it never expires: declare expiresAt or expiresIn";
    case "long-lived":
      return `it would stay valid for longer than maxLifetime allows: ${maxLifetime}`;
    case "misnamed":
      return `its name matches none of the policy's names: ${names.join(", ")}`;
    case "over-privileged": {
      const secret = isSecretInput(inputs as Partial<Hints>, "orgCapabilities");
      return `it would have a restricted capability${secret ? "" : `: ${breach.restrictions.join(", ")}`}`;
    }
    case "unchecked":
      return `${breach.rules.join(" and ")} cannot be checked before the update, because this is not known yet: ${breach.what}`;
  }
}
