import { pick } from "../../../framework/compare";
import { secretsOfAll } from "../../../framework/identity";
import type { Replaced } from "../../../framework/lifecycle";
import { isStatus, type MintedToken, orGone, type Token, type TokenSpec } from "../../../sdk";
import { defined } from "../../../values/defined";
import type { Session } from "../../shared/account/connection";
import { type ApiTokenInputs, type ApiTokenState, liveToken, type TokenRecord } from "./definition";
import { describeInstant, requestedExpiry } from "./expiry";
import { fateOf, planOverlapEnd, type Word } from "./fate";
import { findLost, isOutcomeUnknown } from "./lost";
import { describeName, describeToken } from "./names";
import { entryOf, findGone, recordInputs, writeReplaced } from "./record";
import { rotatesAt } from "./rotation";
import { recordSecret } from "./sealing";

type Old = Replaced<ApiTokenState, Word>;

interface Created {
  readonly id: string;
  readonly state: ApiTokenState;
  readonly plans?: Readonly<Record<string, Word>>;
}

/**
 * Creates a token with one request.
 * @param replaced the token that it replaces, if a diff of this update saw it
 * @throws PartialCreate for a token whose secret is lost, UncertainCreate for one that may exist
 */
export async function createToken(
  session: Session,
  inputs: ApiTokenInputs,
  replaced: Old | undefined,
): Promise<Created> {
  const { account, client } = session;
  const now = session.now();
  const expiresAt = requestedExpiry(inputs, now);
  const spec: TokenSpec = { ...pick(inputs, liveToken.keys), ...defined({ expiresAt }) };
  let overlapEnd = replaced && planOverlapEnd(replaced.state, inputs, now, client);
  await requireFuture(session, inputs, expiresAt, overlapEnd);
  const gone = replaced ? await prepareReplacement(session, replaced) : new Set<string>();
  const record = (shown: Token): ApiTokenState => {
    account.see(shown.id);
    const evidence = account.evidence(shown.id, undefined, now);
    // A declared expiry keeps its spelling.
    const observed = liveToken.observe({ ...spec, ...pick(inputs, liveToken.keys) }, shown);
    const replacements = replaced ? listReplaced(session, inputs, replaced, overlapEnd, gone) : {};
    return liveToken.write({ ...recordInputs(inputs), evidence }, observed, replacements);
  };
  try {
    const renewed = replaced && overlapEnd && (await regenerate(session, replaced.id, overlapEnd, spec));
    if (!renewed) overlapEnd = undefined;
    const minted = renewed || (await client.tokens.create(spec));
    const state = record(minted);
    const warning = describeResponse(session, inputs, minted, Object.keys(state.record.declared ?? {}));
    for (const words of [warning, account.clocks.describe(session)]) if (words !== undefined) await session.warn(words);
    const plans = replaced && overlapEnd && { [replaced.id]: { ...replaced.planned, overlap: overlapEnd } };
    return { id: minted.id, state: { ...state, ...(await recordSecret(minted, state)) }, ...(plans && { plans }) };
  } catch (e) {
    if (isStatus(e, 409) && inputs.chosenName) throw new Error(describeConflict(e as Error), { cause: e });
    if (!isOutcomeUnknown(e)) throw e;
    throw await findLost(session, inputs, e, replaced && overlapEnd && { ...replaced, end: overlapEnd }, record);
  }
}

/**
 * Refuses to replace a token of another account.
 * @returns the tokens that it replaced, and that are gone
 * @throws Error for a token that may be of another account
 */
async function prepareReplacement(session: Session, { id, state }: Old): Promise<ReadonlySet<string>> {
  const { account } = session;
  account.noteRetired(id);
  await account.requireOurs(session, id, state.evidence, describeToken(id, state));
  return findGone(session, state.record.replaced, state.evidence);
}

/**
 * Refuses a token that is dead on arrival, and an overlap that ends before it begins.
 * @throws Error that names both clocks
 */
async function requireFuture(
  session: Session,
  inputs: ApiTokenInputs,
  expiresAt: string | undefined,
  overlapEnd: string | undefined,
): Promise<void> {
  const over = await session.account.clocks.findOver(session, [expiresAt, overlapEnd]);
  if (over === undefined) return;
  const what =
    over.date === expiresAt ? `its expiry, ${describeInstant(expiresAt, inputs)},` : "the end of rotation.overlap";
  throw new Error(
    `${describeName(inputs)} was not created: ${what} is over by ${over.clocks}. Correct the clock that is wrong, then run the command again.`,
  );
}

/**
 * With an overlap the service moves the expiry of the old token (extended interface, "Tokens").
 * @returns undefined if it had no effect, because the old token is gone
 */
async function regenerate(
  { client: { tokens } }: Session,
  id: string,
  existingTokenExpiresAt: string,
  newToken: TokenSpec,
): Promise<MintedToken | undefined> {
  const newTokenExpiresAt = newToken.expiresAt;
  try {
    return await tokens.regenerate(id, { existingTokenExpiresAt, newToken, ...defined({ newTokenExpiresAt }) });
  } catch (failure) {
    // "Not found" had no effect. Either the old token is gone, as with deleteBeforeReplace, or there is no such operation.
    if (!isStatus(failure, 404)) throw failure;
    const live = await orGone(tokens.get(id)).catch(() => "unknown");
    if (live !== undefined) throw failure;
    return undefined;
  }
}

/** The member `replaced` of a new token: the token that it replaces, and those that this one replaced. */
function listReplaced(
  { client, now }: Session,
  inputs: ApiTokenInputs,
  { id, state, planned }: Old,
  overlapEnd: string | undefined,
  gone: ReadonlySet<string>,
): Pick<TokenRecord, "replaced"> {
  const fate = fateOf(planned ?? pick(inputs, ["retire"]), state.expiresAt, client, overlapEnd);
  const word = { ...pick(inputs, ["retire"]), ...secretsOfAll(inputs, state) };
  return writeReplaced([entryOf(id, state, fate), ...(state.record.replaced ?? [])], word, gone, now());
}

/** The warning for a new token that is not as it was requested. */
function describeResponse(
  { client: { clock }, now }: Session,
  inputs: ApiTokenInputs,
  minted: Token,
  changed: readonly string[],
): string | undefined {
  const odd = Object.entries(minted.odd ?? {}).map(([field, reason]) => `${field} (${reason})`);
  const end = Date.parse(minted.expiresAt ?? "");
  // The service can also write "no expiry" as a time long ago.
  const isOver = end > 0 && clock.offset() !== undefined && end <= clock.now().getTime();
  const due = rotatesAt(minted, inputs.rotation)?.getTime() ?? Number.POSITIVE_INFINITY;
  const endless = changed.includes("expiresAt") && minted.expiresAt === undefined;
  const parts = [
    changed.length > 0 && `the service returned other values than declared for ${changed.join(", ")}`,
    endless && "it gave no expiry, so the token never expires",
    due <= now().getTime() && "its rotation is due at once, so each update replaces it: shorten rotation.rotateBefore",
    isOver && "it has expired already according to the service's clock, so the clock of this machine may be slow",
    odd.length > 0 && `the service's response could not be read in ${odd.join(", ")}`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return undefined;
  return `${describeToken(minted.id, inputs)}: ${parts.join("; ")}; check that this is what you want.`;
}

const describeConflict = ({ message }: Error): string =>
  `${message}. If the service refuses a second token of the same name: leave the name out, so that each token gets its own, or set the option deleteBeforeReplace.`;
