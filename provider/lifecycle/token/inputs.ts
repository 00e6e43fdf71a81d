import { type Checked, type CheckFailure, hasUnknown, type Plan, type Unchecked } from "../contract";
import { checkFields } from "../fields";
import { adoptionFailures, describeAdoption } from "./adoption";
import { checkCapabilities } from "./capabilityRules";
import { type ExpiryInputs, expiryFailures, lifetimeOf } from "./expiry";
import { tokenRules } from "./fields";
import type { ApiTokenInputs } from "./model";
import { resolveName } from "./names";
import { sealingFailures } from "./sealing";
import { withSecretEnd } from "./secrecy";

/** The inputs with their name, everything that is wrong with them, and what a user should know of them. */
export function checkApiToken(olds: Unchecked | undefined, news: Unchecked, plan: Plan): Checked<ApiTokenInputs> {
  const { name: _, autoName, ...rest } = news;
  const inputs: Unchecked = { ...rest, ...resolveName(olds, news, plan.seed) };
  const malformed = checkFields(tokenRules, inputs);
  if (malformed.length > 0) return { inputs: inputs as unknown as ApiTokenInputs, failures: malformed };
  const checked = withSecretEnd(inputs as unknown as ApiTokenInputs);

  const capabilities = checkCapabilities(inputs, plan.profile);
  const failures: CheckFailure[] = [
    ...adoptionFailures(olds, inputs, plan),
    ...sealingFailures(inputs),
    ...(inputs.name === undefined && inputs.adopt === undefined ? [{ property: "name", reason: "is missing" }] : []),
    ...expiryFailures(olds, inputs, plan),
    ...retireFailures(checked, plan),
    ...capabilities.failures,
  ];
  const token = `API token "${labelOf(inputs, autoName)}"`;
  const warnings = [...capabilities.warnings, ...describeMissingExpiry(checked, plan)];
  const adoption = describeAdoption(olds, inputs);
  return {
    inputs: checked,
    failures,
    warnings: warnings.length > 0 ? [`${token} ${warnings.join("; ")}`] : [],
    ...(adoption === undefined ? {} : { notes: [`${token} ${adoption}`] }),
  };
}

/** The name if the user chose it and may see it, else the resource's: one that is generated differs from check to check. */
function labelOf({ name, autoName, secretInputs }: Unchecked, logicalName: unknown): string {
  const isSecret = Array.isArray(secretInputs) && secretInputs.includes("name");
  const isShown = name !== undefined && autoName === undefined && !isSecret && !hasUnknown(name);
  const label = isShown ? name : logicalName;
  if (typeof label === "string") return label;
  return hasUnknown(name) ? "(name not known yet)" : isSecret ? "(secret name)" : "";
}

/** An adopted token's expiry is the live one, which no preview knows. */
function describeMissingExpiry(inputs: ApiTokenInputs, plan: Plan): string[] {
  const isFine = expires(inputs) || inputs.adopt !== undefined || plan.can("tokens.delete") || plan.requireExpiry;
  return isFine
    ? []
    : ["has no expiry, and the documented interface cannot revoke a token: set expiresAt, expiresIn or rotation"];
}

/** Whether a token has an expiry, as far as is known. */
const expires = (inputs: ExpiryInputs): boolean =>
  inputs.expiresAt !== undefined || lifetimeOf(inputs) !== undefined || hasUnknown(inputs.rotation);

function retireFailures(inputs: ApiTokenInputs, plan: Plan): CheckFailure[] {
  if (inputs.retire === "revoke" && !plan.can("tokens.delete")) {
    return [{ property: "retire", reason: 'must be "expire": the documented interface cannot revoke a token' }];
  }
  if (inputs.retire === "expire" && !expires(inputs)) {
    return [{ property: "retire", reason: 'cannot be "expire" for a token that has no expiry' }];
  }
  return [];
}
