import type { Update } from "../../framework/update";
import { orGone } from "../../sdk";
import { canonicalInstant, compareInstants } from "../../values/instant";
import type { PresentAccount } from "../account/account";
import type { Session } from "../account/connection";
import { deleteForGood } from "../account/gone";
import { apiTokenDefinition } from "./definition";
import { describeValidity, hidesRotation, secretExpiry } from "./expiry";
import { liveToken } from "./fields";
import type { ApiTokenInputs, ApiTokenState } from "./model";
import { describeToken, isHeirName, isProof } from "./names";
import {
  decideFate,
  endsOverlaps,
  findFate,
  findOverlap,
  isTaken,
  notePredecessors,
  type Retirement,
} from "./retirement";
import { fingerprintOfToken } from "./sealing";

/** The wait for the deletions that the engine begins together, in milliseconds. */
const pause = 100;

/**
 * Revokes a token, or leaves it to its expiry and says so. An adopted token is left alone unless `retire` asks for its
 * revocation, or its own successor replaced it: another stack may have adopted it since, and no hook can see that.
 * @throws Error if the service cannot tell, if it may be another account, if the token is the credential in use, or if the
 * program asked for a revocation that this profile does not have
 */
export async function retireToken(session: Session, id: string, state: ApiTokenState): Promise<void> {
  const { warn, inform, update, account } = session;
  const token = describeToken(id, state);
  // First, since the tokens that it replaced are retired even if it is left alone.
  notePredecessors(update, state, findDeclared(update, id, state) ?? state, session.client);
  if (isReadopted(session, id, state)) return warn(`${token} is adopted again by its own resource: it is left alone.`);
  if (update.isAwaited(id)) await account.waitForOthers();
  if (isInUse(update, id, state)) return warn(describeManaged(token));
  if (update.isAwaited(id)) throw new Error(describeAwaited(token));
  requireNoOverlap(session, id, state, token);
  const retirement = await findRetirement(session, id, state, token);
  if (retirement === undefined) update.abandon(keyOf(update, id, state), { id, state });
  if (retirement?.fate === "overlap") {
    const tell = update.isReplaced(id) ? inform : warn;
    const { until, doubt = "" } = retirement;
    const replaced = doubt === "" ? "was replaced" : `may have been replaced${doubt}`;
    return tell(`${token} ${replaced} and stays valid until ${until} (rotation.overlap).`);
  }
  const reason = await whyKept(session, retirement, id, state);
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

/** With `--replace` and `deleteBeforeReplace` a token is deleted before its own resource adopts it again, in the same account. */
function isReadopted({ update, account }: Session, id: string, state: ApiTokenState): boolean {
  if (!account.isProbablySame(state.record)) return false;
  const { adopt } = update.isReplaced(id) ? {} : (findDeclared(update, id, state) ?? {});
  if (adopt?.id !== undefined) return adopt.id === id;
  return adopt !== undefined && adopt.name === state.name && !update.hasOther(keyOf(update, id, state), id);
}

/** Whether a resource of this update manages the token under another record, if only until its successor exists. */
function isInUse(update: Update, id: string, state: ApiTokenState): boolean {
  const kept = update.findKept<ApiTokenState>(id);
  // With `deleteBeforeReplace` the engine can delete a token that its diff decided to keep. An adopted token stays.
  if (kept && state.createdAt !== undefined && isSameRecord(kept.state, state)) update.replace(kept.key, { id, state });
  if (update.isManaged(id)) return true;
  const other = update.findReplacing<ApiTokenState>(id);
  return other !== undefined && !isSameRecord(other.state, state);
}

/** By the recorded keys: an alias gives the resource another one in this update. */
const isSameRecord = (a: ApiTokenState, b: ApiTokenState): boolean =>
  a.key === b.key && a.createdAt === b.createdAt && a.record.origin === b.record.origin;

/** The present key of the resource: another one than the recorded key if this update renames or moves it with an alias. */
function keyOf(update: Update, id: string, state: ApiTokenState): string {
  const replacing = update.findReplacing<ApiTokenState>(id);
  return replacing && isSameRecord(replacing.state, state) ? replacing.key : state.key;
}

/** The inputs of the present program for a token that it declares, or that it replaces. */
const findDeclared = (update: Update, id: string, state: ApiTokenState): ApiTokenInputs | undefined =>
  update.findDeclared<ApiTokenInputs>(apiTokenDefinition.name, keyOf(update, id, state));

/** @throws Error for a token that is deleted before its successor's create could give it its end */
function requireNoOverlap({ update, client, now }: Session, id: string, state: ApiTokenState, token: string): void {
  const next = update.findReplacing(id) && findDeclared(update, id, state);
  if (next === undefined || findOverlap(next, state, now(), client) === undefined) return;
  throw new Error(
    `${token} is not deleted: rotation.overlap and the option deleteBeforeReplace exclude each other. Remove one of them.`,
  );
}

function findSuccessor(update: Update, id: string, { key }: ApiTokenState): ApiTokenState | undefined {
  const successor = update.findSuccessor<ApiTokenState>(key);
  return successor?.id === id ? undefined : successor?.state;
}

/** Whether the program does not declare the resource any more, and nothing in this process knows a successor. */
const isDropped = (update: Update, id: string, state: ApiTokenState): boolean =>
  findFate(update, id, state) === undefined &&
  !update.isReplaced(id) &&
  !findDeclared(update, id, state) &&
  !findSuccessor(update, id, state);

/**
 * The retirement of a token; undefined: it was adopted, and no successor of this update or an earlier one replaced it.
 * @throws Error for a token that left the program, must be revoked and cannot be: `check` does not see it
 */
async function findRetirement(
  session: Session,
  id: string,
  state: ApiTokenState,
  token: string,
): Promise<Retirement | undefined> {
  const { client, account, update, sleep } = session;
  if (isDropped(update, id, state)) {
    if (!client.can("tokens.delete") && state.retire === "revoke") throw new Error(describeIrrevocable(token));
    // After an interrupted rotation its successor is deleted at the same time, and only the successor's record knows.
    if (decideRetirement(session, id, state) === undefined) await account.waitForOthers();
    else if (client.can("tokens.delete")) await sleep(pause);
  }
  // With "--replace" no diff has read that record, either.
  const isKnown = findFate(update, id, state) !== undefined || update.isReplaced(id);
  const moved = isKnown ? undefined : await findMoved(session, id, state);
  return moved ?? decideRetirement(session, id, state);
}

/** The retirement according to the records and the program that this process has seen. */
function decideRetirement({ client, update }: Session, id: string, state: ApiTokenState): Retirement | undefined {
  const decided = findFate(update, id, state);
  if (decided !== undefined) return decided;
  const successor = findSuccessor(update, id, state);
  const { retire } = successor ?? findDeclared(update, id, state) ?? state;
  const isLeft = state.record.origin === "adopted" && retire === undefined && client.can("tokens.delete");
  return isLeft && !successor ? undefined : { fate: decideFate(retire, client) };
}

/**
 * An overlap that began in an earlier update, if another token can be the successor. No record shows it: the response to the
 * successor's create was lost, or the engine deletes the successor later. Only an overlap makes an expiry earlier (extended
 * interface, "Tokens").
 */
async function findMoved(
  { client, update, now }: Session,
  id: string,
  state: ApiTokenState,
): Promise<Retirement | undefined> {
  const program = findDeclared(update, id, state);
  const isEnded = program ? endsOverlaps(program) : state.retire === "revoke";
  const isPossible = [state, program].some((inputs) => inputs && findOverlap(inputs, state, now(), client));
  if (isEnded || !isPossible) return undefined;
  const expiresAt = canonicalInstant((await orGone(client.tokens.get(id)))?.expiresAt ?? "");
  // The service can have given another expiry than the requested one when it created the token.
  const { priorExpiresAt } = state.record;
  const known = priorExpiresAt === undefined ? [liveToken.expect(state).expiresAt, state.expiresAt] : [priorExpiresAt];
  const ends = known.map((one) => canonicalInstant(one ?? ""));
  if (!expiresAt || ends.some((one) => one !== undefined && compareInstants(expiresAt, one) >= 0)) return undefined;
  const heirs = (await client.tokens.list()).filter(
    ({ id: other, name }) => other !== id && !update.isHeld(other) && isHeirName(name, state),
  );
  if (heirs.length === 0) return undefined;
  const doubt = `, as other tokens of its name suggest (${heirs.map((one) => one.id).join(", ")}),`;
  const isHidden = [state, program].some((inputs) => inputs && hidesRotation(inputs));
  return { fate: "overlap", until: isHidden ? secretExpiry : expiresAt, doubt };
}

/** Why a token is not revoked; undefined: it is. An alleged one is gone, or has the name that was generated for it. */
async function whyKept(
  { client }: Session,
  retirement: Retirement | undefined,
  id: string,
  state: ApiTokenState,
): Promise<string | undefined> {
  if (!client.can("tokens.delete")) return "the documented interface has no way to revoke a token";
  if (retirement === undefined)
    return 'it was adopted, not created here, and only retire: "revoke" has an adopted token revoked';
  if (retirement.fate === "expire") return 'retire is "expire"';
  if (state.record.origin !== "alleged") return undefined;
  const live = isProof(state) ? await orGone(client.tokens.get(id)) : undefined;
  if (isProof(state) && (!live || live.name === state.name)) return undefined;
  return "its id came in a response without a secret, and nothing proves that it was created here. Revoke it if nobody uses it";
}

/** Revokes a token that `Update.abandon` noted. Never throws: the secret of its successor would be lost. */
export async function revokeAbandoned(session: Session, key: string): Promise<void> {
  const { id, state } = session.update.findAbandoned<ApiTokenState>(key) ?? {};
  if (id === undefined || state === undefined || decideRetirement(session, id, state)?.fate !== "revoke") return;
  const token = describeToken(id, state);
  if (isOwnCredential(state, session.account.here)) {
    const advice = "nothing here will revoke it later: do it by its id, with another credential";
    return session.warn(`${token} was replaced, and is the credential in use, so it is not revoked; ${advice}.`);
  }
  try {
    // Since its deletion another resource can have adopted it, or is about to.
    if (isTaken(session.update, id, key)) return session.warn(describeManaged(token));
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

const describeManaged = (token: string): string =>
  `${token} is managed by another resource of this update: it is left alone.`;

const describeIrrevocable = (token: string): string =>
  [
    `${token} is not deleted: retire is "revoke", and the documented interface has no way to revoke a token.`,
    'Set event-datasets:profile (EVENT_DATASETS_PROFILE) to "extended", or give the token up alive with',
    '"pulumi state delete" and its URN.',
  ].join(" ");

const describeAwaited = (token: string): string =>
  [
    `${token} is not deleted: another resource is to adopt it by its id, and has not done so. It stays in the state.`,
    'Fix or remove the argument adopt of that resource, and run "pulumi up" again.',
  ].join(" ");

const describeOwnCredential = (token: string): string =>
  [
    `${token} is the credential that this update works with, so it is not revoked: everything after it would fail.`,
    "Its deletion stays pending. First hand out another credential (EVENT_DATASETS_ACCESS_TOKEN or",
    "event-datasets:accessToken), for example the secret of its successor; then run the command again.",
  ].join(" ");
