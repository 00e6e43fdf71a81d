import { asJson, isSame, omit, pick } from "../../../framework/compare";
import { hasSecretInput } from "../../../framework/identity";
import { defined } from "../../../values/defined";
import type { Session } from "../../shared/account/connection";
import {
  type ApiTokenInputs,
  type ApiTokenState,
  fingerprintOfToken,
  type ReplacedToken,
  type TokenRecord,
  tokenInputKeys,
} from "./definition";
import type { Fate } from "./fate";
import { expiryOf } from "./rotation";

/** The inputs to record. The secret of an adoption is recorded only as `token`. */
export function recordInputs({ adopt, ...inputs }: ApiTokenInputs): ApiTokenInputs {
  const keys = tokenInputKeys.filter((key) => key !== "adopt");
  return { ...pick(inputs, keys), ...(adopt ? { adopt: pick(adopt, ["id"]) } : {}) };
}

/** More would only make the state larger: each was replaced by the next one. */
const mostReplaced = 20;

/** The entry of a token that is replaced now. */
export const entryOf = (id: string, state: ApiTokenState, fate: Fate): ReplacedToken => ({
  id,
  ...defined({ fingerprint: fingerprintOfToken(state) }),
  ...(fate.ends === "later" && { ends: fate.ends, ...defined({ until: fate.until }) }),
});

/**
 * The one writer of the member `replaced`: it derives the whole list anew from the tokens that were replaced, the present word, and
 * what the service says twice.
 * @param replaced newest first
 * @param word the present one: `retire: "expire"` keeps every earlier token
 * @param gone the tokens that the service says twice are gone
 */
export function writeReplaced(
  replaced: readonly ReplacedToken[] | undefined,
  word: Pick<ApiTokenInputs, "retire" | "secretInputs">,
  gone: ReadonlySet<string>,
  now: Date,
): Pick<TokenRecord, "replaced"> {
  const isOver = ({ until }: ReplacedToken) => (expiryOf(until) ?? now) < now;
  const left = (replaced ?? []).filter((one) => !gone.has(one.id) && !isOver(one)).slice(0, mostReplaced);
  if (left.length === 0) return {};
  const kept = word.retire === "expire" ? ({ ends: "later" } as const) : {};
  const write = ({ until, ...one }: ReplacedToken): ReplacedToken => ({
    ...one,
    // An expiry can derive from any argument.
    ...(hasSecretInput(word) ? {} : defined({ until })),
    ...kept,
  });
  return { replaced: left.map(write) };
}

/** The record of a token that stays, after an update or a read; the recorded one if it says the same. */
export async function renewRecord(
  session: Session,
  { record = {}, evidence }: Partial<Pick<ApiTokenState, "record" | "evidence">>,
  word: Pick<ApiTokenInputs, "retire" | "secretInputs">,
): Promise<TokenRecord> {
  const gone = await findGone(session, record.replaced, evidence);
  const next = { ...omit(record, ["replaced"]), ...writeReplaced(record.replaced, word, gone, session.now()) };
  return isSame(asJson, next, record) ? record : next;
}

/** The earlier tokens of a token that are gone: they were replaced when it was created, or before. */
export const findGone = (session: Session, replaced: readonly ReplacedToken[] = [], evidence?: string) =>
  session.account.findGone(
    session,
    replaced.map(({ id }) => id),
    evidence,
  );
