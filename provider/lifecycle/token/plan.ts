import { changedKeys, isSame } from "../compare";
import { type Difference, hasUnknown, type Plan } from "../contract";
import { asDuration, changedTriggers, countsFromCreation, dueReason, lifetimeOf } from "./expiry";
import { tokenComparisons } from "./fields";
import type { ApiTokenInputs, ApiTokenState } from "./model";
import { asRecipients } from "./sealing";

/**
 * What an update would do to a token. The service has no update, so what changes mints a new secret; the notice says why.
 * The settings of the rotation are taken as they are declared now and are no change by themselves.
 */
export function planApiToken(id: string, state: ApiTokenState, inputs: ApiTokenInputs, plan: Plan): Difference {
  if (inputs.adopt) return planAdopted(id, state, inputs);
  const { replaces, reasons } = findReplacement(state, inputs, plan);
  if (replaces.length > 0) {
    const notice = `API token "${state.name}" (id ${id}) will be replaced, which makes a new secret: ${reasons.join("; ")}.`;
    return { changes: true, replaces, notice: plan.updating ? notice : undefined };
  }
  const retired = !hasUnknown(inputs.retire) && state.retire !== inputs.retire;
  return { changes: retired || hasUnknown(inputs), replaces };
}

function findReplacement(state: ApiTokenState, inputs: ApiTokenInputs, plan: Plan) {
  if (state.lost) return { replaces: ["token"], reasons: ["its secret never arrived"] };
  const changed: string[] = changedKeys(tokenComparisons, state, {
    ...inputs,
    expiresAt: expectedExpiry(state, inputs),
  });
  const lifetime = inputs.expiresIn;
  if (lifetime !== undefined && !hasUnknown(lifetime) && !isSame(asDuration, lifetimeOf(state), lifetime))
    changed.push("expiresIn");
  if (!hasUnknown(inputs.sealFor) && !isSame(asRecipients, state.sealFor, inputs.sealFor)) changed.push("sealFor");
  const triggers = hasUnknown(inputs.rotation) ? [] : changedTriggers(state.rotation, inputs.rotation);
  const due = plan.updating && !hasUnknown(inputs.rotation) ? dueReason(state, inputs.rotation, plan.now()) : undefined;
  return {
    replaces: [...changed, ...(triggers.length > 0 || due ? ["rotation"] : [])],
    reasons: [...[...changed, ...triggers].map((key) => `${key} changed`), ...(due ? [due] : [])],
  };
}

/** An expiry that is counted from the creation, or may be, is expected to be what it came to then. */
const expectedExpiry = (state: ApiTokenState, inputs: ApiTokenInputs): string | undefined =>
  countsFromCreation(inputs) || (inputs.expiresAt === undefined && hasUnknown(inputs.rotation))
    ? (state.resolvedExpiresAt ?? state.expiresAt)
    : inputs.expiresAt;

/** While `adopt` is there nothing is replaced: the replacement would adopt the very token that is then deleted. */
function planAdopted(id: string, state: ApiTokenState, inputs: ApiTokenInputs): Difference {
  const { adopt } = inputs;
  const other = adopt?.id === undefined ? adopt?.name !== state.name : adopt.id !== id;
  if (other && !hasUnknown(adopt)) {
    throw new Error(
      `adopt names ${adopt?.id ?? `"${adopt?.name}"`}, but this resource manages token ${id} already: a token is adopted when its resource is created.`,
    );
  }
  const secret = adopt?.token !== undefined && !hasUnknown(adopt.token) && adopt.token !== state.token;
  const first = state.adopt === undefined;
  return { changes: secret || first || state.retire !== inputs.retire || hasUnknown(inputs), replaces: [] };
}
