import { pick } from "../../framework/compare";
import { hasSecretInput } from "../../framework/identity";
import type { Replaced } from "../../framework/lifecycle";
import { defined } from "../../values/defined";
import type { Session } from "../account/connection";
import {
  type ApiTokenInputs,
  type ApiTokenState,
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

/** The member `replaced` of a record: the tokens that a new one replaces, without those that are gone. */
export function recordReplaced(
  session: Pick<Session, "account" | "now">,
  inputs: ApiTokenInputs,
  replaced?: Replaced<ApiTokenState>,
  fate?: Fate,
): Pick<TokenRecord, "replaced"> {
  if (!replaced) return {};
  const isSecret = hasSecretInput(inputs, replaced.state);
  const until = fate?.ends === "later" && !isSecret ? fate.until : undefined;
  const own: ReplacedToken = {
    id: replaced.id,
    ...(fate?.ends === "later" ? { ends: "later", ...defined({ until }) } : {}),
  };
  const { replaced: earlier = [] } = replaced.state.record;
  const known = isSecret ? earlier.map(({ until: _, ...one }) => one) : earlier;
  return pruneReplaced(session, [own, ...known]);
}

/** The record of a token that stays. */
export function renewRecord(session: Pick<Session, "account" | "now">, recorded: TokenRecord = {}): TokenRecord {
  const { replaced, ...record } = recorded;
  const left = pruneReplaced(session, replaced);
  return left.replaced?.length === replaced?.length ? recorded : { ...record, ...left };
}

/** Leaves out what has expired, and what the list of this process lacks, if there is one. */
export function pruneReplaced(
  { account, now }: Pick<Session, "account" | "now">,
  replaced: readonly ReplacedToken[] = [],
): Pick<TokenRecord, "replaced"> {
  const isValid = ({ id, until }: ReplacedToken) =>
    account.mayBeLive(id) && (expiryOf(until)?.getTime() ?? Number.POSITIVE_INFINITY) >= now().getTime();
  const left = replaced.filter(isValid).slice(0, mostReplaced);
  return left.length > 0 ? { replaced: left } : {};
}
