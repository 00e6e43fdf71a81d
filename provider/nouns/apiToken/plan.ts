import { asJson, isSame } from "../../../framework/compare";
import { changedInputs, findUnknownReplacing } from "../../../framework/definition";
import { secretsOfAll } from "../../../framework/identity";
import type { PlannedChange } from "../../../framework/lifecycle";
import { isRenamed } from "../../../framework/naming";
import { hasUnknown } from "../../../framework/unknown";
import type { Plan } from "../../shared/account/connection";
import { planBorrowed } from "../../shared/adoption";
import { findDifferences, showLive } from "./adoption";
import {
  type ApiTokenInputs,
  type ApiTokenState,
  apiTokenDefinition,
  fingerprintOfToken,
  liveToken,
} from "./definition";
import { describeInstant, findDueReason, listChangedTriggers } from "./expiry";
import { describeFate, describeOptions, fateOf, planWords, type Word } from "./fate";
import { describeToken } from "./names";
import { isOwnCredential } from "./retire";
import { expiryOf } from "./rotation";

/**
 * Plans the change of a token. The service cannot update a token, so every real change creates a new secret; the notice says
 * why, and what happens to the old token.
 * @throws Error for a resource that manages another token than it is to adopt
 */
export function planApiToken(
  id: string,
  state: ApiTokenState,
  inputs: ApiTokenInputs,
  plan: Plan,
): PlannedChange<Word> {
  const token = describeToken(id, { ...state, ...secretsOfAll(state, inputs) });
  const words = planWords(id, state, inputs, plan);
  const { [id]: own = {} } = words;
  const renamed = (state.record.replaced ?? []).flatMap(({ id: earlier, key }) => (key ? [[earlier, key]] : []));
  const planned = { plans: words, recordedAs: Object.fromEntries(renamed) };
  const { adopt } = inputs;
  if (adopt !== undefined) {
    const isOther = adopt.id !== id && !hasUnknown(adopt);
    const isNew = !state.adopt || (adopt.token !== undefined && adopt.token !== state.token);
    const changes = isNew || isRenamed(state, inputs);
    const differing = showLive(findDifferences(inputs, liveToken.read(state).fields), state, state, inputs);
    const otherwise = ": then the token is replaced";
    return { ...planBorrowed("token", id, token, { isOther, changes, differing, otherwise }), ...planned };
  }
  const { replaces, reasons, isSure = true } = findReplacement(state, inputs, plan);
  if (replaces.length > 0) {
    const end = describePlannedEnd(own, state, inputs, plan);
    const notice = `${token} ${isSure ? "will" : "may"} be replaced, which creates a new secret: ${reasons.join("; ")}. ${end}`;
    return { changes: true, replaces, notice, ...planned };
  }
  const notices = [...listNotices(own, state, inputs, plan)];
  return {
    changes: isRecordedAnew(state, inputs),
    replaces: [],
    notice: notices.length > 0 ? `${token} ${notices.join("; it ")}.` : undefined,
    ...planned,
    plans: { ...words, [id]: { ...own, isSilent: true } },
  };
}

/** The end of a token that is replaced, for the preview. */
function describePlannedEnd(word: Word, state: ApiTokenState, inputs: ApiTokenInputs, plan: Plan): string {
  const isOverlapUnknown = hasUnknown(inputs.rotation) || hasUnknown(inputs.rotation?.overlap);
  if (plan.can("tokens.delete") && (hasUnknown(inputs.retire) || isOverlapUnknown))
    return "Whether the old token is then revoked is not known yet.";
  const fate = fateOf(word, state.expiresAt, plan);
  if (fate.ends === "now" && isOwnCredential(state, plan.fingerprint))
    return "The old token is the access token in use: it is not revoked before another one is configured.";
  const targets =
    " Consumers that --target, --exclude or ignoreChanges leave behind, and other stacks, need rotation.overlap.";
  const end = `The old token ${describeFate(fate, word)}`;
  return fate.ends === "now" ? `${end}${describeOptions(state, inputs, plan)}.${targets}` : `${end}.`;
}

function findReplacement(state: ApiTokenState, inputs: ApiTokenInputs, plan: Plan) {
  if (state.incomplete !== undefined) return { replaces: ["token"], reasons: ["its secret never arrived"] };
  const isCounted = inputs.expiresIn !== undefined;
  const fields: string[] = liveToken
    .changed(state, inputs)
    // A counted expiry is not declared: it changes only if somebody moved it.
    .filter((key) => key !== "expiresAt" || !isCounted || liveToken.read(state).drifted.includes(key));
  const others = changedInputs(apiTokenDefinition, ["expiresIn", "sealFor"], state, inputs);
  const triggers = hasUnknown(inputs.rotation) ? [] : listChangedTriggers(state, inputs);
  const due = hasUnknown(inputs.rotation) ? undefined : findDueReason(state, inputs, plan.now());
  const changed = [...fields, ...others];
  const open = findUnknownReplacing(apiTokenDefinition, inputs, plan);
  const known = [...changed, ...triggers].map((key) => `${key} changed`);
  const reasons = [...known, ...(due ? [due] : []), ...open.map((key) => `${key} is not known yet`)];
  return {
    replaces: [...changed, ...(triggers.length > 0 || due ? ["rotation"] : []), ...open],
    reasons,
    isSure: reasons.length > open.length,
  };
}

/** Whether to rewrite the record of an unchanged token. A later delete sees only this record. */
function isRecordedAnew(state: ApiTokenState, inputs: ApiTokenInputs): boolean {
  if (isRenamed(state, inputs) || state.retire !== inputs.retire || state.adopt !== undefined) return true;
  if ((["rotation", "deleteOptions"] as const).some((key) => !isSame(asJson, state[key], inputs[key]))) return true;
  const declared = liveToken.differing(liveToken.expect(state), inputs);
  return declared.some((key) => key !== "expiresAt" || inputs.expiresIn === undefined);
}

/** The notices about a token that is not replaced. */
function* listNotices(word: Word, state: ApiTokenState, inputs: ApiTokenInputs, plan: Plan): Generator<string, void> {
  if (state.adopt) {
    const isKnown = fingerprintOfToken(state) !== undefined;
    const doubt = ". Its secret is not known here, so the provider cannot tell whether it is the access token in use";
    const fate = fateOf(word, state.expiresAt, plan);
    yield `is owned by this resource from now on: if it is replaced or removed, it ${describeFate(fate, state, inputs)}${isKnown ? "" : doubt}`;
  }
  const end = expiryOf(state.expiresAt);
  if (end && end <= plan.now())
    yield `expired at ${describeInstant(String(state.expiresAt), state, inputs)}. Change its expiry, or run: pulumi up --replace <urn>`;
  else if (!hasUnknown(inputs.rotation) && inputs.rotation?.rotateBefore !== undefined && !end)
    yield "has no expiry, so it is never rotated by time. Change a value in rotation.triggers once";
}
