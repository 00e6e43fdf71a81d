import { compareAccounts } from "../account";
import { asJson, changedKeys, isSame } from "../compare";
import { type Difference, hasUnknown, type Plan } from "../contract";
import { keyOf } from "../resourceKey";
import { holderOf } from "./adoption";
import { describeToken } from "./describe";
import { asDuration, changedTriggers, countsFromCreation, dueReason, lifetimeOf } from "./expiry";
import { tokenComparisons } from "./fields";
import type { ApiTokenInputs, ApiTokenState } from "./model";
import { declaredExpiry, upgradeState } from "./recording";
import { computeEnd } from "./rotation";
import { asRecipients } from "./sealing";
import { hidesEnd, isBared } from "./secrecy";

/**
 * What an update would do to a token. The service has no update, so what changes mints a new secret; the notice says why.
 * The settings of the rotation are taken as they are declared now and are no change by themselves.
 * @throws Error for a token of which it is not known whether it is in the present account, or that two resources manage
 */
export function planApiToken(id: string, recorded: ApiTokenState, inputs: ApiTokenInputs, plan: Plan): Difference {
  const state = upgradeState(recorded);
  const difference = compareToken(id, state, inputs, plan);
  const { notice, ...silent } = difference;
  if (!plan.updating) return silent;
  const holder = holderOf({ ...inputs }, id);
  if (difference.replaces.length > 0) plan.ledger.noteReplacement(keyOf(inputs), { id, state });
  else if (!plan.ledger.claim(id, holder, state)) {
    throw new Error(`${describeToken(id, state)} is managed by another resource of this update, too: only one can.`);
  } else if (state.adopted || state.adopt) {
    // Of an update that ended between the adoption and the deletions, only the state tells what was adopted.
    plan.adoptions.note(id, holder);
  }
  return notice === undefined ? silent : difference;
}

function compareToken(id: string, state: ApiTokenState, inputs: ApiTokenInputs, plan: Plan): Difference {
  const token = describeToken(id, {
    ...state,
    secretInputs: [...(state.secretInputs ?? []), ...(inputs.secretInputs ?? [])],
  });
  const place = plan.updating ? compareAccounts(token, state, plan.here) : "same";
  if (inputs.adopt && place !== "other") return planAdopted(id, token, state, inputs, plan);
  const { replaces, reasons } = findReplacement(state, inputs, plan);
  if (place === "other") {
    replaces.push("account");
    reasons.push(`the account is "${plan.here?.account}" now instead of "${state.account}"`);
  }
  if (replaces.length > 0) {
    const notice = `${token} will be replaced, which makes a new secret: ${reasons.join("; ")}.`;
    return { changes: true, replaces, notice };
  }
  requireEnd(token, state, inputs, plan);
  const retired = !hasUnknown(inputs.retire) && state.retire !== inputs.retire;
  return {
    changes: retired || isBared(state, inputs) || place === "labelled" || hasUnknown(inputs),
    replaces,
    notice: joinNotices(token, [...describeUnknown(inputs), ...describeEnd(state, inputs, plan)]),
  };
}

function findReplacement(state: ApiTokenState, inputs: ApiTokenInputs, plan: Plan) {
  if (state.lost) return { replaces: ["token"], reasons: ["its secret never arrived"] };
  const changed: string[] = changedKeys(
    tokenComparisons,
    { ...state, expiresAt: declaredExpiry(state) },
    { ...inputs, expiresAt: expectedExpiry(state, inputs) },
  );
  const lifetime = inputs.expiresIn;
  if (lifetime !== undefined && !hasUnknown(lifetime) && !isSame(asDuration, lifetimeOf(state), lifetime))
    changed.push("expiresIn");
  if (!hasUnknown(inputs.sealFor) && !isSame(asRecipients, state.sealFor, inputs.sealFor)) changed.push("sealFor");
  const triggers = hasUnknown(inputs.rotation) ? [] : changedTriggers(state.rotation, inputs.rotation);
  const due = plan.updating && !hasUnknown(inputs.rotation) ? dueReason(state, inputs, plan.now()) : undefined;
  return {
    replaces: [...changed, ...(triggers.length > 0 || due ? ["rotation"] : [])],
    reasons: [...[...changed, ...triggers].map((key) => `${key} changed`), ...(due ? [due] : [])],
  };
}

/** An expiry that is counted from the creation, or may be, is expected to be what it came to then. */
const expectedExpiry = (state: ApiTokenState, inputs: ApiTokenInputs): string | undefined =>
  countsFromCreation(inputs) || (inputs.expiresAt === undefined && hasUnknown(inputs.rotation))
    ? (state.resolvedExpiresAt ?? declaredExpiry(state))
    : inputs.expiresAt;

/** While `adopt` is there nothing is replaced: the replacement would adopt the very token that is then deleted. */
function planAdopted(id: string, token: string, state: ApiTokenState, inputs: ApiTokenInputs, plan: Plan): Difference {
  const { adopt } = inputs;
  const other = adopt?.id === undefined ? adopt?.name !== state.name : adopt.id !== id;
  if (other && !hasUnknown(adopt)) {
    const wanted = adopt?.id ?? (inputs.secretInputs?.includes("name") ? "another name" : `"${adopt?.name}"`);
    throw new Error(
      `adopt names ${wanted}, but this resource manages token ${id} already: a token is adopted when its resource is created.`,
    );
  }
  const secret = adopt?.token !== undefined && !hasUnknown(adopt.token) && adopt.token !== state.token;
  const first = state.adopt === undefined;
  const ignored = [...new Set([...findReplacement(state, inputs, plan).replaces, ...changedRotation(state, inputs)])];
  const notices =
    ignored.length > 0 && !first
      ? [`is not changed while adopt is there, although ${ignored.join(", ")} would have it replaced: remove adopt`]
      : [];
  return {
    changes: secret || first || isBared(state, inputs) || state.retire !== inputs.retire || hasUnknown(inputs),
    replaces: [],
    notice: joinNotices(token, [...notices, ...describeEnd(state, inputs, plan)]),
  };
}

/** Members of the rotation that changed, and an `expiresIn` that came or went: without `adopt` they would mean something. */
function changedRotation(state: ApiTokenState, inputs: ApiTokenInputs): string[] {
  const comparisons = { rotation: asJson, expiresIn: asDuration };
  return changedKeys(comparisons, { ...state }, { ...inputs });
}

/** Inputs that a preview does not know, and whose value may force a replacement. */
function describeUnknown(inputs: ApiTokenInputs): string[] {
  const keys = [...Object.keys(tokenComparisons), "expiresIn", "rotation", "sealFor"] as (keyof ApiTokenInputs)[];
  const open = keys.filter((key) => hasUnknown(inputs[key]));
  const are = open.length === 1 ? "is" : "are";
  return open.length > 0
    ? [`may be replaced, which would make a new secret: ${open.join(", ")} ${are} not known yet`]
    : [];
}

/** What is wrong with the end of a token that is otherwise as declared. */
function describeEnd(state: ApiTokenState, inputs: ApiTokenInputs, plan: Plan): string[] {
  if (hasUnknown(inputs.rotation)) return [];
  const end = computeEnd(state, undefined);
  if (end && end <= plan.now()) {
    const instant = hidesEnd(state) || hidesEnd(inputs) ? "" : ` on ${state.expiresAt}`;
    const remedy = 'change its expiry, or have it replaced with "pulumi up --replace" and its URN';
    return [`expired${instant} and is of no use: ${remedy}`];
  }
  const isEndless = inputs.rotation?.rotateBefore !== undefined && !computeEnd(state, inputs.rotation);
  return isEndless
    ? [
        "has no expiry, and it is not known when it was created, so it is never rotated by time: have it replaced once by a new value in rotation.triggers",
      ]
    : [];
}

/** @throws Error for a token without an end that is to be left to its end */
function requireEnd(token: string, state: ApiTokenState, inputs: ApiTokenInputs, plan: Plan): void {
  const isGiven = state.declaredExpiresAt !== undefined || countsFromCreation(state);
  if (!plan.updating || inputs.retire !== "expire" || !isGiven || state.expiresAt) return;
  throw new Error(
    `${token}: retire cannot be "expire", since the service gave this token no expiry. Set retire to "revoke", or leave it out.`,
  );
}

/** One notice for a resource, whatever there is to say. */
const joinNotices = (token: string, notices: readonly string[]): string | undefined =>
  notices.length > 0 ? `${token} ${notices.join("; it ")}.` : undefined;
