import { asInstant, asJson, changedKeys, isSame } from "../../framework/compare";
import { isSecretInput, secretsOfAll } from "../../framework/identity";
import type { PlannedChange } from "../../framework/lifecycle";
import { hasUnknown } from "../../framework/unknown";
import type { TokenSpec } from "../../sdk";
import type { Plan } from "../account/connection";
import { canonicalRecipients } from "../seal/recipients";
import {
  asDuration,
  cannotExpire,
  changedTriggers,
  countsFromCreation,
  describeValidity,
  dueReason,
  hidesEnd,
  secretExpiry,
} from "./expiry";
import { comparedFields, liveToken, tokenComparisons } from "./fields";
import type { Adopt, ApiTokenInputs, ApiTokenState } from "./model";
import { describeToken, isRenamed } from "./names";
import { isOwnCredential } from "./retire";
import { decideFate, findOverlap, notePredecessors } from "./retirement";
import { computeEnd } from "./rotation";
import { isAsCounted, isRequestedLength } from "./state";

/**
 * Plans the change of a token. The service has no update, so every change of meaning creates a new secret; the notice says why.
 * A change of the rotation's settings is no change by itself.
 * @throws Error for a token that two resources manage
 */
export function planApiToken(id: string, state: ApiTokenState, inputs: ApiTokenInputs, plan: Plan): PlannedChange {
  const difference = compareWithInputs(id, state, inputs, plan);
  const { update } = plan;
  if (!plan.isUpdate) return difference;
  notePredecessors(update, state, inputs, plan);
  if (difference.replaces.length > 0 || plan.isOtherAccount) {
    update.replace(inputs.key, { id, state });
    return difference;
  }
  if (!update.claim(id, inputs.key, state)) {
    throw new Error(`${describeToken(id, state)} is managed by another resource of this update, too: only one can.`);
  }
  // If an earlier update ended between the adoption and the deletions, only the state tells that it was adopted.
  if (state.record.origin === "adopted") update.notes.add(id, inputs.key);
  return difference;
}

function compareWithInputs(id: string, state: ApiTokenState, inputs: ApiTokenInputs, plan: Plan): PlannedChange {
  const token = describeToken(id, { ...state, ...secretsOfAll(state, inputs) });
  const { replaces, reasons } = findReplacement(state, inputs, plan);
  const { adopt } = inputs;
  // While `adopt` is there nothing is replaced: the replacement would adopt the very token that is then deleted.
  const isAdopting = adopt !== undefined && !plan.isOtherAccount;
  if (isAdopting) requireAdopted(id, state, inputs, adopt);
  if (plan.isOtherAccount)
    reasons.push(`the account is "${plan.here?.account}" now instead of "${state.record.account}"`);
  if (reasons.length > 0 && !isAdopting) {
    const fate = describeFate(state, inputs, plan);
    const notice = `${token} will be replaced, which creates a new secret: ${reasons.join("; ")}. ${fate}`;
    return { changes: true, replaces, notice };
  }
  if (reasons.length === 0) requireEnd(token, state, inputs, plan);
  const notices = [...listNotices(state, inputs, plan, replaces)];
  const isNew = isAdopting && (!state.adopt || (adopt.token !== undefined && adopt.token !== state.token));
  return {
    changes: isNew || isRecordedAnew(state, inputs, isAdopting),
    replaces: [],
    notice: notices.length > 0 ? `${token} ${notices.join("; it ")}.` : undefined,
  };
}

/** The fate of a token that is replaced, for the preview. */
function describeFate(state: ApiTokenState, inputs: ApiTokenInputs, plan: Plan): string {
  if (state.record.origin === "alleged")
    return "Whether the old token is this resource's own is checked before it is revoked.";
  const overlap = plan.isOtherAccount ? undefined : findOverlap(inputs, state, plan.now(), plan);
  if (overlap !== undefined)
    return `The old token stays valid until ${overlap.isSecret ? secretExpiry : `about ${overlap.until}`} (rotation.overlap).`;
  const overlapping = typeof inputs.rotation === "object" ? inputs.rotation.overlap : inputs.rotation;
  if (hasUnknown([inputs.retire, overlapping]) && plan.can("tokens.delete"))
    return "Whether the old token is then revoked is not known yet.";
  if (decideFate(inputs.retire, plan) === "expire")
    return `The old token ${describeValidity(state.expiresAt, state, inputs)}.`;
  if (plan.isOtherAccount) return "The old token can be revoked only with the settings of its own account.";
  return isOwnCredential(state, plan.here)
    ? "The old token is the credential in use: it is not revoked before another credential is configured."
    : "The old token is then revoked.";
}

const { expiresAt: _, ...otherComparisons } = tokenComparisons;

function findReplacement(state: ApiTokenState, inputs: ApiTokenInputs, plan: Plan) {
  const { origin } = state.record;
  if (origin === "lost" || origin === "alleged") return { replaces: ["token"], reasons: ["its secret never arrived"] };
  // A declared value that the service has already is no reason for a new secret, although another one was declared before.
  const changesFrom = (fields: Partial<TokenSpec>) => changedKeys(otherComparisons, fields, inputs);
  const fromLive = changesFrom(liveToken.read(state).fields);
  const changed: string[] = changesFrom(liveToken.expect(state)).filter((key) => fromLive.includes(key));
  if (isExpiryChanged(state, inputs)) changed.push("expiresAt");
  const { expiresIn } = inputs;
  if (expiresIn !== undefined && !hasUnknown(expiresIn) && !isRequestedLength(state, { expiresIn }))
    changed.push("expiresIn");
  if (!hasUnknown(inputs.sealFor) && !isSame(canonicalRecipients, state.sealFor, inputs.sealFor))
    changed.push("sealFor");
  const triggers = hasUnknown(inputs.rotation) ? [] : changedTriggers(state, inputs);
  const due = plan.isUpdate && !hasUnknown(inputs.rotation) ? dueReason(state, inputs, plan.now()) : undefined;
  return {
    replaces: [...changed, ...(triggers.length > 0 || due ? ["rotation"] : [])],
    reasons: [...[...changed, ...triggers].map((key) => `${key} changed`), ...(due ? [due] : [])],
  };
}

function isExpiryChanged(state: ApiTokenState, inputs: ApiTokenInputs): boolean {
  const isCounted = countsFromCreation(inputs) || (inputs.expiresAt === undefined && hasUnknown(inputs.rotation));
  const isLive = isSame(asInstant, state.expiresAt, inputs.expiresAt);
  // Beside a counted expiry, the one that a refresh has found is there only if it is ignored.
  if (isCounted) return countsFromCreation(state) && !isAsCounted(state) && !(inputs.expiresAt && isLive);
  if (hasUnknown(inputs.expiresAt) || isLive) return false;
  return countsFromCreation(state) || !isSame(asInstant, liveToken.expect(state).expiresAt, inputs.expiresAt);
}

/**
 * Whether a token that stays is recorded anew: its key and `retire` for its deletion by a process that knows nothing else, the
 * way of its expiry and the declared values for later comparisons.
 */
function isRecordedAnew(state: ApiTokenState, inputs: ApiTokenInputs, isAdopting: boolean): boolean {
  if (isRenamed(state, inputs) || state.retire !== inputs.retire) return true;
  const isCounted = countsFromCreation(inputs);
  const declared = changedKeys(tokenComparisons, liveToken.expect(state), inputs);
  const isRespelled = declared.some((key) => key !== "expiresAt" || !isCounted);
  return !isAdopting && ((isCounted && !countsFromCreation(state)) || isRespelled);
}

/** @throws Error for a resource that manages another token already */
function requireAdopted(id: string, state: ApiTokenState, inputs: ApiTokenInputs, adopt: Adopt): void {
  const isOwn = adopt.id === undefined ? adopt.name === state.name : adopt.id === id;
  if (isOwn || hasUnknown(adopt)) return;
  const wanted = adopt.id ?? (isSecretInput(inputs, "name") ? "another name" : `"${adopt.name}"`);
  throw new Error(
    `adopt names ${wanted}, but this resource manages token ${id} already: a token is adopted when its resource is created.`,
  );
}

/** The inputs that a replacement can follow from, besides the fields. */
const otherKeys = ["expiresIn", "rotation", "sealFor"] as const;

/** The notices about a token that is not replaced. */
function* listNotices(
  state: ApiTokenState,
  inputs: ApiTokenInputs,
  plan: Plan,
  replaces: readonly string[],
): Generator<string, void> {
  const { adopt, rotation } = inputs;
  const settings = changedKeys({ rotation: asJson, expiresIn: asDuration }, { ...state }, { ...inputs });
  const ignored = adopt && state.adopt ? [...new Set([...replaces, ...settings])] : [];
  if (ignored.length > 0)
    yield `is not changed while adopt is there, although ${ignored.join(", ")} would have it replaced: remove adopt`;
  const open = adopt ? [] : [...comparedFields, ...otherKeys].filter((key) => hasUnknown(inputs[key]));
  const are = open.length === 1 ? "is" : "are";
  if (open.length > 0)
    yield `may be replaced, which would create a new secret: ${open.join(", ")} ${are} not known yet`;
  if (hasUnknown(rotation)) return;
  const end = computeEnd(state, undefined);
  if (end && end <= plan.now()) {
    const instant = hidesEnd(state) || hidesEnd(inputs) ? "" : ` on ${state.expiresAt}`;
    const remedy = 'change its expiry, or have it replaced with "pulumi up --replace" and its URN';
    yield `expired${instant} and is of no use: ${remedy}`;
  } else if (rotation?.rotateBefore !== undefined && !computeEnd(state, rotation))
    yield "has no expiry, and it is not known when it was created, so it is never rotated by time: have it replaced once by a new value in rotation.triggers";
}

/** @throws Error for a token without an expiry that is to be left to its expiry */
function requireEnd(token: string, state: ApiTokenState, inputs: ApiTokenInputs, plan: Plan): void {
  const isOpen = hasUnknown([inputs.expiresAt, inputs.expiresIn, inputs.rotation]);
  // The state of another provider can lack the expiry that its token has.
  const isOwn = state.record.baseUrl !== undefined;
  if (!plan.isUpdate || inputs.retire !== "expire" || isOpen || !isOwn || state.expiresAt) return;
  throw new Error(`${token}: ${cannotExpire(plan)}`);
}
