import { pick } from "../../../framework/compare";
import { orGone } from "../../../sdk";
import type { Session } from "../../shared/account/connection";
import { type ApiTokenState, fingerprintOfToken } from "./definition";
import { describeFate, fateOf, findOverlap, type Word } from "./fate";
import { describeToken } from "./names";
import { renewReplaced } from "./record";

/**
 * Revokes a token, or keeps a token that has to stay, and warns about it. Refuses to revoke the access token in use.
 * @param planned the words of a diff; without one, as after `--replace` or for a removal, no preview told what becomes of the
 *   token
 * @throws Error if the service cannot tell, if it may be another account, if it is the access token in use, or if its record
 *   asks for a revocation that this profile does not have
 */
export async function retireToken(session: Session, id: string, state: ApiTokenState, planned?: Word): Promise<void> {
  const { account, client, warn } = session;
  const token = describeToken(id, state);
  // The engine asks for a deletion, so no option keeps the token, unless the diff has announced that one does.
  const overlap = await findOverlap(session, id, state, planned);
  const word: Word = { ...(planned ?? pick(state, ["adopt", "retire"])), overlap };
  const fate = fateOf(word, state.expiresAt, client);
  if (planned === undefined) await describeEarlier(session, id, token, state);
  if (fate.ends === "later") {
    if (planned === undefined && fate.because === "profile" && state.retire === "revoke")
      throw new Error(
        `${token} is not deleted: retire is "revoke", and the profile "documented" cannot revoke a token. It stays in the state. If the service can revoke tokens, ${session.howToExtend}; otherwise remove it from the state with "pulumi state delete" and its URN: then it stays valid.`,
      );
    return warn(`${token} is no longer managed here, but it ${describeFate(fate, word, state)}.`);
  }
  if (isOwnCredential(state, session.fingerprint))
    throw new Error(
      `${token} is the access token that this update uses, so it is not revoked: everything after it would fail. It stays in the state. First configure another access token (EVENT_DATASETS_ACCESS_TOKEN or event-datasets:accessToken), for example the secret of its successor; then run the command again.`,
    );
  // A diff announces no end of an earlier token that the list lacks, and a list can be late.
  const isAnnounced = planned !== undefined && !planned.isSilent && account.list.mayHave(id);
  const isRevoked = await orGone(client.tokens.delete(id).then(() => true));
  if (isRevoked) account.see(id);
  // The first request may have deleted it, and its response got lost.
  else await account.confirmGone(session, id, state.evidence, token);
  if (isAnnounced) return;
  const isUncompared = planned === undefined && state.rotation?.overlap !== undefined;
  await session.inform(`${token} ${isRevoked ? "was revoked" : "is gone"}.${isUncompared ? withoutOverlap : ""}`);
}

const withoutOverlap =
  " rotation.overlap had no effect, because the resource was removed, or was replaced by --replace, taint, replaceWith or a replacement trigger.";

/** Whether a token is the access token that this process uses. */
export function isOwnCredential(state: ApiTokenState, fingerprint: string | undefined): boolean {
  const own = fingerprintOfToken(state);
  return own !== undefined && own === fingerprint;
}

/** Names the tokens that this one replaced and that stay valid: nothing else will. */
async function describeEarlier(session: Session, id: string, token: string, state: ApiTokenState): Promise<void> {
  const replaced = await renewReplaced(session, id, state, {});
  const left = replaced.filter(({ ends }) => ends === "later");
  if (left.length === 0) return;
  const named = left.map(({ id, until }) => `${id}${until === undefined ? "" : ` (until ${until})`}`).join(", ");
  await session.warn(`${token}: earlier tokens that it replaced may still be valid: ${named}.`);
}
