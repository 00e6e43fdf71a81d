import { asJson, isSame, omit, pick } from "../../../framework/compare";
import { hasSecretInput } from "../../../framework/identity";
import type { Replaced } from "../../../framework/lifecycle";
import { defined } from "../../../values/defined";
import type { Session } from "../../shared/account/connection";
import {
  type ApiTokenInputs,
  type ApiTokenState,
  fingerprintOfToken,
  type ReplacedToken,
  type TokenRecord,
} from "./definition";
import { fateOf, type Word } from "./fate";
import { expiryOf } from "./rotation";

/** The inputs to record. The secret of an adoption is recorded only as `token`. */
export function recordInputs({ adopt, ...inputs }: ApiTokenInputs): ApiTokenInputs {
  return { ...inputs, ...(adopt && { adopt: pick(adopt, ["id"]) }) };
}

/** The largest number of replaced tokens in a record, so that the state stays small. The newest ones are recorded. */
export const mostReplaced = 20;

/** The present words of the program about the tokens that a token replaced. */
type Present = Partial<Pick<ApiTokenInputs, "key" | "retire" | "secretInputs">>;

/** The entry of a token that is being replaced. Without a diff, the present program decides the fate of the token. */
export function entryOf(
  { client }: Session,
  { id, state, planned }: Replaced<ApiTokenState, Word>,
  overlap: string | undefined,
  present: Present,
): ReplacedToken {
  const fate = fateOf({ ...(planned ?? pick(present, ["retire"])), overlap }, state.expiresAt, client);
  const end = fate.ends === "later" ? { ends: fate.ends, ...defined({ until: fate.until }) } : {};
  return writeEntry({ id, ...defined({ fingerprint: fingerprintOfToken(state) }), ...end }, state, present);
}

/**
 * The only writer of the member `replaced`. Of the recorded tokens, newest first, it keeps those that have not expired and are
 * not gone. If the present program declares `retire: "expire"`, every one of them stays valid.
 * @param state of the token that replaced them
 */
export async function renewReplaced(
  session: Session,
  id: string,
  { record = {}, ...state }: Partial<Pick<ApiTokenState, "record" | "key">>,
  present: Present,
): Promise<readonly ReplacedToken[]> {
  const { replaced = [] } = record;
  const now = session.now();
  const ids = replaced.map((one) => one.id);
  const gone = await session.account.findGone(session, ids, id);
  const isOver = ({ until }: ReplacedToken) => (expiryOf(until) ?? now) < now;
  const kept = present.retire === "expire" ? ({ ends: "later" } as const) : {};
  return replaced
    .filter((one) => !gone.has(one.id) && !isOver(one))
    .map((one) => writeEntry({ ...one, ...kept }, state, present))
    .slice(0, mostReplaced);
}

/**
 * An entry as it is recorded: without an expiry if an argument is secret, since it can derive from any, and with the key that the engine
 * has the token under, where an alias has renamed the resource since.
 */
function writeEntry({ until, ...entry }: ReplacedToken, state: Present, present: Present): ReplacedToken {
  const isRenamed = present.key !== undefined && present.key !== state.key;
  return { ...(isRenamed && pick(state, ["key"])), ...entry, ...(hasSecretInput(present) ? {} : defined({ until })) };
}

/** The record of a token that stays, after an update or a read. It is the recorded one if nothing in it changes. */
export async function renewRecord(
  session: Session,
  id: string,
  state: Partial<Pick<ApiTokenState, "record" | "key">>,
  present: Present,
): Promise<TokenRecord> {
  const { record = {} } = state;
  const replaced = await renewReplaced(session, id, state, present);
  const next = { ...omit(record, ["replaced"]), ...(replaced.length > 0 && { replaced }) };
  return isSame(asJson, next, record) ? record : next;
}
