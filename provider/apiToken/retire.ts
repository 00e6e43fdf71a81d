import { asInstant, isSame } from "../../framework/compare";
import type { Managed } from "../../framework/update";
import { orGone } from "../../sdk";
import { canonicalInstant, compareInstants } from "../../values/instant";
import type { PresentAccount } from "../account/account";
import type { Session } from "../account/connection";
import { deleteForGood } from "../account/gone";
import { apiTokenDefinition } from "./definition";
import { describeValidity, hidesOverlap, secretExpiry } from "./expiry";
import { liveToken } from "./fields";
import type { ApiTokenInputs, ApiTokenState, Fate, Predecessor } from "./model";
import { describeToken, isProof } from "./names";
import { endOfOverlap } from "./overlap";
import { decideFate } from "./predecessors";
import { fingerprintOfToken } from "./sealing";

/**
 * Revokes a token, or leaves it to its expiry and says so. An adopted token is left alone unless `retire` asks for its
 * revocation, or its own successor replaced it: another stack may have adopted it since, and no hook can see that.
 * @throws Error if the service cannot tell, if it may be another account, if the token is the credential in use, or if the
 * program asked for a revocation that this profile does not have
 */
export async function retireToken(session: Session, id: string, state: ApiTokenState): Promise<void> {
  const { warn, update } = session;
  const token = describeToken(id, state);
  noteReplacement(session, id, state);
  if (isInUse(session, id, state))
    return warn(`${token} is managed by another resource of this update: it is left alone.`);
  requireNoOverlap(session, id, state, token);
  const moved = await findMovedExpiry(session, id, state);
  if (moved !== undefined)
    return warn(
      `${token} was replaced and stays valid until ${hidesOverlap(state, state) ? secretExpiry : moved} (rotation.overlap).`,
    );
  const fate = await findFate(session, id, state);
  requireRevocation(session, token, state, fate);
  if (fate === undefined) update.abandon(state.key, { id, state });
  const overlap = findEndOfOverlap(session, id, state);
  if (overlap !== undefined) return session.inform(`${token} was replaced and stays valid until ${overlap}.`);
  const reason = keptBecause(session, fate) ?? (await whyNotProven(session, id, state));
  if (reason !== undefined)
    return warn(`${token} is no longer managed here, but it ${describeValidity(state.expiresAt, state)}: ${reason}.`);
  await revoke(session, id, state, token);
}

async function revoke(session: Session, id: string, state: ApiTokenState, token: string): Promise<void> {
  const { client, account, lists } = session;
  if (isOwnCredential(state, account.here)) {
    // The engine begins nothing new after a failure, so every other deletion comes first.
    await account.waitForOthers();
    throw new Error(describeOwnCredential(token));
  }
  const deleter = { ...lists.confirm(session, id), delete: (gone: string) => client.tokens.delete(gone) };
  await deleteForGood(account, id, state.record, deleter, token);
}

/**
 * With `deleteBeforeReplace` the engine can delete a token that its diff decided to keep. Its creation shows that the two records
 * are the same; an adopted token has no creation and stays.
 */
function noteReplacement({ update }: Session, id: string, state: ApiTokenState): void {
  const kept = update.findKept<ApiTokenState>(id);
  if (kept === undefined || state.createdAt === undefined) return;
  // By the recorded keys: an alias gives the resource another one.
  const isOwn = kept.state.key === state.key && kept.state.createdAt === state.createdAt;
  if (isOwn) update.replace(kept.key, { id, state });
}

/** Whether a resource of this update manages the token under another record, if only until its successor exists. */
function isInUse({ update }: Session, id: string, { key, createdAt, record }: ApiTokenState): boolean {
  if (update.isClaimed(id)) return true;
  const other = update.findReplacing<ApiTokenState>(id);
  if (other === undefined) return false;
  const { state } = other;
  return state.key !== key || state.createdAt !== createdAt || state.record.origin !== record.origin;
}

/** @throws Error for a token that is deleted before its successor's create could give it its end */
function requireNoOverlap({ update }: Session, id: string, { key }: ApiTokenState, token: string): void {
  const next = update.findDeclared<ApiTokenInputs>(apiTokenDefinition.name, key);
  const isFirst = update.isReplaced(id) && update.fateOf(id) === undefined && !update.findSuccessor(key);
  if (next?.rotation?.overlap === undefined || !isFirst) return;
  throw new Error(
    `${token} is not deleted: rotation.overlap and the option deleteBeforeReplace exclude each other. Remove one of them.`,
  );
}

/**
 * The expiry that the create of a successor gave a token in an earlier update. No diff resumes that rotation if the program does
 * not declare the resource any more, and the engine may delete the old token before its successor, so the service is asked.
 */
async function findMovedExpiry(session: Session, id: string, state: ApiTokenState): Promise<string | undefined> {
  const { client, update, now } = session;
  const isResumed = update.fateOf(id) !== undefined || update.findDeclared(apiTokenDefinition.name, state.key);
  const latest = isResumed || update.isReplaced(id) ? undefined : endOfOverlap(state, state, now());
  if (latest === undefined || !client.can("tokens.regenerate")) return undefined;
  const expiresAt = canonicalInstant((await orGone(client.tokens.get(id)))?.expiresAt ?? "");
  // The service can have shortened the declared expiry when it created the token.
  const isKnown = [state, liveToken.expect(state)].some((one) => isSame(asInstant, expiresAt, one.expiresAt));
  return expiresAt && !isKnown && compareInstants(expiresAt, latest) <= 0 ? expiresAt : undefined;
}

/**
 * The fate of a token. A `destroy` after an interrupted rotation calls no diff, but it deletes the successor at the same time,
 * and that one's record holds the fates of its predecessors.
 */
async function findFate(session: Session, id: string, state: ApiTokenState): Promise<Fate | undefined> {
  const { update, account } = session;
  for (const one of state.record.predecessors ?? []) {
    if (update.fateOf(one.id) === undefined) update.decide(one.id, one.fate);
  }
  const fate = fateOf(session, id, state);
  if (fate !== undefined || update.findDeclared(apiTokenDefinition.name, state.key)) return fate;
  await account.waitForOthers();
  return fateOf(session, id, state);
}

/** The fate of a token; undefined: it was adopted, and no successor of this update or an earlier one replaced it. */
function fateOf({ client, update }: Session, id: string, state: ApiTokenState): Fate | undefined {
  const decided = update.fateOf(id) as Fate | undefined;
  if (decided !== undefined) return decided;
  const successor = update.findSuccessor<ApiTokenState>(state.key);
  if (successor && successor.id !== id) {
    return recordedIn(successor, id)?.fate ?? decideFate(successor.state.retire, client);
  }
  // Deleted before it is replaced, and no diff decided anything: the program's present value counts.
  const { retire } = update.findDeclared<ApiTokenInputs>(apiTokenDefinition.name, state.key) ?? state;
  if (state.record.origin === "adopted" && retire === undefined)
    return client.can("tokens.delete") ? undefined : "expire";
  return decideFate(retire, client);
}

/** @throws Error for a token that cannot be revoked, but must be: `check` does not see removed tokens */
function requireRevocation(
  { client }: Session,
  token: string,
  { retire }: ApiTokenState,
  fate: Fate | undefined,
): void {
  if (retire !== "revoke" || fate !== "expire" || client.can("tokens.delete")) return;
  throw new Error(
    [
      `${token} is not deleted: retire is "revoke", and the documented interface has no way to revoke a token.`,
      'Set event-datasets:profile (EVENT_DATASETS_PROFILE) to "extended", or give the token up alive with',
      '"pulumi state delete" and its URN.',
    ].join(" "),
  );
}

/** A token as its successor recorded it; undefined: it is no predecessor. */
const recordedIn = ({ state }: Managed<ApiTokenState>, id: string): Predecessor | undefined =>
  state.record.predecessors?.find((predecessor) => predecessor.id === id);

/** The expiry of a token that was replaced with an overlap in this update, from its successor's record. */
function findEndOfOverlap({ update }: Session, id: string, { key }: ApiTokenState): string | undefined {
  const successor = update.findSuccessor<ApiTokenState>(key);
  const recorded = successor && recordedIn(successor, id);
  if (successor?.state.rotation?.overlap === undefined || recorded?.fate !== "expire") return undefined;
  return recorded.expiresAt ?? secretExpiry;
}

/** Why a token is not revoked; undefined: it is. */
function keptBecause({ client }: Session, fate: Fate | undefined): string | undefined {
  if (!client.can("tokens.delete")) return "the documented interface has no way to revoke a token";
  if (fate === "expire") return 'retire is "expire"';
  if (fate === "revoke") return undefined;
  return 'it was adopted, not created here, and only retire: "revoke" has an adopted token revoked';
}

/** Why an alleged token is not revoked; undefined: it is gone, or has the name that was generated for it. */
async function whyNotProven({ client }: Session, id: string, state: ApiTokenState): Promise<string | undefined> {
  if (state.record.origin !== "alleged") return undefined;
  const live = isProof(state) ? await orGone(client.tokens.get(id)) : undefined;
  if (isProof(state) && (!live || live.name === state.name)) return undefined;
  return "its id came in an answer without a secret, and nothing proves that it was made here. Revoke it if nobody uses it";
}

/** Revokes a token that `Update.abandon` noted. Never throws: the secret of its successor would be lost. */
export async function revokeAbandoned(session: Session, inputs: ApiTokenInputs): Promise<void> {
  const abandoned = session.update.findAbandoned<ApiTokenState>(inputs.key);
  if (!abandoned || decideFate(inputs.retire, session.client) === "expire") return;
  const { id, state } = abandoned;
  const successor = session.update.findSuccessor<ApiTokenState>(inputs.key);
  if (successor && recordedIn(successor, id)?.fate === "expire") return;
  const token = describeToken(id, state);
  if (isOwnCredential(state, session.account.here)) {
    const advice = "nothing here will revoke it later: do it by its id, with another credential";
    return session.warn(`${token} was replaced, and is the credential in use, so it is not revoked; ${advice}.`);
  }
  try {
    await revoke(session, id, state, token);
    await session.inform(`${token} was replaced and is revoked now.`);
  } catch (failure) {
    await session.warn(`${token} was replaced, but is not revoked: ${(failure as Error).message}`);
  }
}

/** Whether a token is the credential that this process works with. */
export function isOwnCredential(state: ApiTokenState, here: PresentAccount | undefined): boolean {
  const own = fingerprintOfToken(state);
  return own !== undefined && own === (here?.fingerprint ?? here?.credentialHash);
}

const describeOwnCredential = (token: string): string =>
  [
    `${token} is the credential that this update works with, so it is not revoked: everything after it would fail.`,
    "Its deletion stays pending. First hand out another credential (EVENT_DATASETS_ACCESS_TOKEN or",
    "event-datasets:accessToken), for example the secret of its successor; then run the command again.",
  ].join(" ");
