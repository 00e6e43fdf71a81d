import { type Hints, isSecretInput } from "../framework/identity";
import { hasUnknown, notKnown } from "../framework/unknown";
import { apiTokenTypes } from "../provider/apiToken/definition";
import { type ExpiryInputs, lifetimeOf } from "../provider/apiToken/expiry";
import { endOfExpiry, readExpiry } from "../values/expiry";
import { isObject } from "../values/json";
import type { Policy } from "./policy";
import type { RuleId } from "./rules";
import { type Breach, breaches, momentAfter, type Subject } from "./standards";
import { stackOfUrn } from "./state";

/** The engine's types of a token: of the dynamic provider and of the native one. */
export const plannedTypes: readonly string[] = apiTokenTypes;

/** A token that a program declares, before the engine does anything about it. */
export interface PlannedToken {
  readonly urn: string;
  /** As the provider's `check` returned them. What is not known before the update is `notKnown`. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** What the policy objects to. The message quotes nothing of the inputs, which can be secrets, and names the policy's words. */
export interface Objection {
  readonly rule: Breach["rule"];
  readonly message: string;
  /** Of a token that cannot be judged: the rules that ask for what is not known. */
  readonly asked?: readonly RuleId[];
}

/**
 * What a policy objects to in a planned token, by the rules by which the audit judges a live one.
 * @param now milliseconds since the epoch
 */
export const judgePlanned = (token: PlannedToken, policy: Policy, now: number): Objection[] =>
  [...breaches(subjectOf(token, now), policy, now)].map((breach) => ({
    rule: breach.rule,
    message: describe(breach, policy, token),
    ...(breach.rule === "unjudged" ? { asked: breach.rules } : {}),
  }));

function subjectOf({ urn, inputs }: PlannedToken, now: number): Subject {
  const { name, adopt, orgCapabilities } = inputs;
  const adopted = isObject(adopt) && typeof adopt.id === "string" ? adopt.id : notKnown;
  return {
    id: adopted,
    name: typeof name === "string" ? name : notKnown,
    stack: stackOfUrn(urn),
    orgCapabilities,
    end: endOf(inputs, now),
  };
}

/** When the token will end if it is made now. */
function endOf(inputs: PlannedToken["inputs"], now: number): Subject["end"] {
  const { expiresAt, expiresIn, rotation, adopt } = inputs;
  if ([expiresAt, expiresIn, rotation].some(hasUnknown)) return notKnown;
  // An adopted token keeps its own end, which no plan has, unless an instant is declared that it must have.
  if (adopt !== undefined && expiresAt === undefined) return notKnown;
  const lifetime = lifetimeOf(inputs as ExpiryInputs);
  if (lifetime !== undefined) return typeof lifetime === "string" ? momentAfter(now, lifetime) : undefined;
  return endOfExpiry(readExpiry(expiresAt));
}

function describe(breach: Breach, { maxLifetime, names = [] }: Policy, { inputs }: PlannedToken): string {
  switch (breach.rule) {
    case "never-expires":
      return "it never expires: declare expiresAt, expiresIn or rotation";
    case "long-lived":
      return `it would stay valid for longer than maxLifetime allows: ${maxLifetime}`;
    case "misnamed":
      return `its name fits none of the policy's names: ${names.join(", ")}`;
    case "over-privileged": {
      const secret = isSecretInput(inputs as Partial<Hints>, "orgCapabilities");
      return `it would hold what only some may${secret ? "" : `: ${breach.restrictions.join(", ")}`}`;
    }
    case "unjudged":
      return `it cannot be judged before the update by ${breach.rules.join(" and ")}: not known yet: ${breach.what}`;
  }
}
