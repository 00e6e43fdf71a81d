import { orGone } from "../../sdk";
import type { Session } from "../account/connection";
import { type ApiTokenState, fingerprintOfToken } from "./definition";
import { decideFate, describeFate, type Fate, hasOverlapBegun } from "./fate";
import { describeToken } from "./names";
import { pruneReplaced } from "./record";

/**
 * Revokes a token, or leaves it and says so. In this order: its fate is later; it is the access token in use; it is revoked.
 * @throws Error if the service cannot tell, if it may be another account, if it is the access token in use, or if its record
 *   asks for a revocation that this profile does not have
 */
export async function retireToken(session: Session, id: string, state: ApiTokenState, planned?: Fate): Promise<void> {
  const { account, client, warn } = session;
  const token = describeToken(id, state);
  const fate = await settleFate(session, id, state, planned);
  if (planned === undefined) await describeEarlier(session, token, state);
  if (fate.ends === "later") {
    if (planned === undefined && fate.because === "profile" && state.retire === "revoke")
      throw new Error(
        `${token} is not deleted: retire is "revoke", and the documented interface cannot revoke a token. It stays in the state. Set event-datasets:profile (EVENT_DATASETS_PROFILE) to "extended", or remove it from the state with "pulumi state delete" and its URN: then it stays valid.`,
      );
    return warn(`${token} is no longer managed here, but it ${describeFate(fate, state)}.`);
  }
  if (isOwnCredential(state, account.fingerprint))
    throw new Error(
      `${token} is the access token that this update works with, so it is not revoked: everything after it would fail. It stays in the state. First configure another access token (EVENT_DATASETS_ACCESS_TOKEN or event-datasets:accessToken), for example the secret of its successor; then run the command again.`,
    );
  account.giveUp(id);
  const isRevoked = await orGone(client.tokens.delete(id).then(() => true));
  if (isRevoked) account.see(id);
  else await account.confirmGone(session, id, state.evidence, token);
}

/** The planned fate, or that of the record. An overlap that has begun keeps the token whatever they say. */
async function settleFate(session: Session, id: string, state: ApiTokenState, planned?: Fate): Promise<Fate> {
  const { account, client } = session;
  const later = planned?.ends === "later" ? planned : undefined;
  // With deleteBeforeReplace there is no successor yet whose create could have begun the overlap.
  const fate = later?.otherwise ?? planned ?? decideFate(state, state.expiresAt, client);
  if (client.can("tokens.regenerate")) {
    const isExpected = later?.because === "overlap" || state.rotation?.overlap !== undefined;
    const isSure = planned?.ends === "now" || (fate.ends === "later" && fate.because === "adopt");
    const begun = account.overlaps.get(id);
    // The first overlap of a token can have begun in another process. A list can show other values than a lookup.
    const listed = begun || isExpected || isSure ? undefined : (await account.tryList(session))?.get(id);
    const looksUp = begun === undefined && (isExpected || hasOverlapBegun(state, listed?.expiresAt));
    const until = looksUp ? (await orGone(client.tokens.get(id)))?.expiresAt : begun;
    if (hasOverlapBegun(state, until)) return { ...later, ends: "later", because: "overlap", until };
  }
  return later && fate.ends === "later" ? { ...later, ...fate, until: state.expiresAt } : fate;
}

/** Whether a token is the access token that this process works with. */
export function isOwnCredential(state: ApiTokenState, fingerprint: string | undefined): boolean {
  const own = fingerprintOfToken(state);
  return own !== undefined && own === fingerprint;
}

/** Names the tokens that this one replaced and that stay valid: nothing else will. */
async function describeEarlier(session: Session, token: string, { record }: ApiTokenState): Promise<void> {
  const left = (pruneReplaced(session, record.replaced).replaced ?? []).filter(({ ends }) => ends === "later");
  if (left.length === 0) return;
  const named = left.map(({ id, until }) => `${id}${until === undefined ? "" : ` (until ${until})`}`).join(", ");
  await session.warn(`${token}: earlier tokens that it replaced can still be valid: ${named}.`);
}
