import type { EnforcementLevel, ResourceValidationPolicy } from "@pulumi/policy";
import { notKnown } from "../../framework/unknown";
import { isObject } from "../../values/json";
import { fails, type Policy, type RuleId, rules } from "..";
import { type Breach, judgePlanned } from "../standards";
import { isTokenType } from "../state";

/** The rules of the audit that apply to planned tokens. */
const plannedRules = [
  "long-lived",
  "never-expires",
  "over-privileged",
  "misnamed",
  "unchecked",
] as const satisfies readonly Breach["rule"][];

/** The input of the policies. */
export interface PolicyPackOptions {
  /** The checked policy of an audit: `readPolicy` of `pulumi-event-datasets/audit`. */
  readonly policy: Policy;
  /** Name of the policy in messages. */
  readonly source?: string | undefined;
  /** Default: this machine's clock. */
  readonly now?: (() => Date) | undefined;
}

/**
 * Turns the policy of an audit into policies for `new PolicyPack(name, { policies })`, one for each rule about planned tokens. A
 * rule that fails an audit is mandatory, every other rule is advisory, and a rule that is `off` is disabled.
 */
export const eventDatasetsPolicies = ({
  policy,
  source = "the policy",
  now = () => new Date(),
}: PolicyPackOptions): ResourceValidationPolicy[] =>
  plannedRules.map((rule) => ({
    name: rule,
    description: `${rules[rule].title}.`,
    enforcementLevel: levelOf(rule, policy),
    validateResource: ({ type, urn, props }, reportViolation) => {
      if (!isTokenType(type)) return;
      const breaches = judgePlanned({ urn, inputs: knownPart(props) }, policy, now().getTime());
      for (const breach of breaches.filter((one) => one.rule === rule && isOn(one, policy)))
        reportViolation(`${breach.message} (${source})`);
    },
  }));

function levelOf(rule: RuleId, policy: Policy): EnforcementLevel {
  const severity = severityOf(rule, policy);
  if (severity === "off") return "disabled";
  return fails(severity, policy.failOn ?? "error") ? "mandatory" : "advisory";
}

const severityOf = (rule: RuleId, policy: Policy) => policy.rules?.[rule] ?? rules[rule].severity;

/** Whether the rules that need an unknown value are on. */
const isOn = (breach: Breach, policy: Policy): boolean =>
  breach.rule !== "unchecked" || breach.rules.some((rule) => severityOf(rule, policy) !== "off");

/** The inputs, with `notKnown` for each value that the library refuses to show because the update computes it. */
function knownPart(props: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(props).map((key) => [key, knownMember(props, key)]));
}

function knownMember(parent: object, key: string | number): unknown {
  let value: unknown;
  try {
    value = (parent as Record<string | number, unknown>)[key];
  } catch {
    return notKnown;
  }
  if (Array.isArray(value)) return Array.from({ length: value.length }, (_, at) => knownMember(value as unknown[], at));
  return isObject(value) ? knownPart(value) : value;
}
