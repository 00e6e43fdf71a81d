import { isSecretInput, logicalNameOf } from "../../../framework/identity";
import type { Bag, Checked, CheckFailure } from "../../../framework/lifecycle";
import { resolveName } from "../../../framework/naming";
import { hasUnknown, notKnown } from "../../../framework/unknown";
import type { Plan } from "../../shared/account/connection";
import { describeAdoption, findAdoptionFailures } from "./adoption";
import { warnOfCapabilities } from "./capabilities";
import type { ApiTokenInputs } from "./definition";
import { findExpiryFailures, hasExpiry } from "./expiry";
import { findUnusableKeys, sealingFailures } from "./sealing";

/** Returns the inputs with a name, all mistakes in them, and the warnings for the user. */
export function checkApiToken(olds: Bag | undefined, news: Bag, plan: Plan): Checked<ApiTokenInputs> {
  const { name: _, chosenName: __, ...rest } = news;
  const inputs: Bag = { ...rest, ...resolveName(olds, news, plan, news.adopt !== undefined) };
  const checked = inputs as unknown as ApiTokenInputs;

  const isUnnamed = inputs.name === undefined && inputs.adopt !== notKnown;
  const nameless =
    inputs.adopt === undefined
      ? "is missing, and pulumi:autonaming is disabled"
      : "is missing: with adopt, declare the live token's own name";
  const failures: CheckFailure[] = [
    ...(isUnnamed ? [{ property: "name", reason: nameless }] : []),
    ...findAdoptionFailures(inputs, plan),
    ...sealingFailures(inputs),
    ...findExpiryFailures(olds, checked, plan),
  ];
  const token = `API token "${labelOf(checked)}"`;
  // An adopted token's expiry is the live one, which no preview knows.
  const isEndless = !hasExpiry(checked) && inputs.adopt === undefined;
  const isWarned = isEndless && !plan.can("tokens.delete") && !plan.requireExpiry;
  const options = hasUnknown(inputs.deleteOptions) ? [] : checked.deleteOptions;
  const isLinked = options?.includes("deletedWith") && olds?.deleteOptions === undefined;
  const warnings = [
    ...warnOfCapabilities(inputs, plan.profile),
    ...(isWarned ? [describeEndless(plan)] : []),
    ...(isLinked ? [linked] : []),
  ];
  const isNew = olds?.key === undefined && inputs.adopt === undefined;
  const isRenewed = hasUnknown(inputs.rotation) || checked.rotation?.rotateBefore !== undefined;
  const note = describeAdoption(olds, inputs) ?? (isNew && hasExpiry(checked) && !isRenewed ? unrenewed : undefined);
  return {
    inputs: checked,
    failures,
    findMore: () => findUnusableKeys(checked),
    warnings: warnings.length > 0 ? [`${token} ${warnings.join("; ")}`] : [],
    ...(note === undefined ? {} : { notes: [`${token} ${note}`] }),
  };
}

const describeEndless = ({ howToExtend }: Plan): string =>
  `never expires, and the profile "documented" cannot revoke it: set expiresIn or expiresAt. If the service can revoke tokens, ${howToExtend}`;

const linked =
  "has the option deletedWith: if the resource of this option is deleted or replaced, Pulumi forgets the token without a message, and it stays valid";

const unrenewed = "expires and is not replaced before that: to rotate it, set expiresIn and rotation.rotateBefore";

/** The name if the user chose it and may see it, else the resource's: a generated one differs from check to check. */
function labelOf(inputs: ApiTokenInputs): string {
  const isShown = inputs.chosenName === true && !isSecretInput(inputs, "name") && !hasUnknown(inputs.name);
  return isShown ? inputs.name : logicalNameOf(inputs.key);
}
