import { type Hints, isSecretInput } from "../framework/identity";
import { hasUnknown, notKnown } from "../framework/unknown";
import { apiTokenTypes } from "../provider/nouns/apiToken/definition";
import { expiryTime, readExpiry } from "../values/expiry";
import { isObject } from "../values/json";
import type { Policy } from "./policy";
import { stackOfUrn } from "./resource";
import type { RuleId } from "./rules";
import { type Breach, findBreaches, momentAfter, type Subject } from "./standards";

/** The engine's types of a token, in the dynamic and in the native provider. */
export const plannedTypes: readonly string[] = apiTokenTypes;

/** A token that a program declares, before the engine does anything about it. */
export interface PlannedToken {
  readonly urn: string;
  /** As the provider's `check` returned them. A value that the update computes is `notKnown`. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** A violation of the policy. The message quotes the policy and no inputs, because inputs can be secrets. */
export interface Objection {
  readonly rule: Breach["rule"];
  readonly message: string;
  /** For a token that cannot be checked: the rules that need the unknown value. */
  readonly asked?: readonly RuleId[];
}

/**
 * Finds the violations of a planned token, by the same rules as the audit of a live token.
 * @param now milliseconds since the epoch
 */
export const judgePlanned = (token: PlannedToken, policy: Policy, now: number): Objection[] =>
  [...findBreaches(subjectOf(token, now), policy, now)].map((breach) => ({
    rule: breach.rule,
    message: describe(breach, policy, token),
    ...(breach.rule === "unchecked" ? { asked: breach.rules } : {}),
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
      return `it would hold a restricted capability${secret ? "" : `: ${breach.restrictions.join(", ")}`}`;
    }
    case "unchecked":
      return `${breach.rules.join(" and ")} cannot be checked before the update, because this is not known yet: ${breach.what}`;
  }
}
