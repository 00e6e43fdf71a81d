import { pick } from "../../../framework/compare";
import { secretsOfAll } from "../../../framework/identity";
import type { Created, Replaced } from "../../../framework/lifecycle";
import { isStatus, type MintedToken, type Token, type TokenSpec } from "../../../sdk";
import { isOutcomeUnknown } from "../../../sdk/errors";
import { defined } from "../../../values/defined";
import type { Session } from "../../shared/account/connection";
import { type ApiTokenInputs, type ApiTokenState, liveToken } from "./definition";
import { describeInstant, requestedExpiry } from "./expiry";
import { planOverlapEnd, type Word } from "./fate";
import { findLost } from "./lost";
import { describeName, describeToken } from "./names";
import { entryOf, mostReplaced, recordInputs, renewReplaced } from "./record";
import { rotatesAt } from "./rotation";
import { recordSecret } from "./sealing";

/**
 * Creates a token with one request.
 * @param replaced the token that it replaces, if a diff of this update saw it
 * @throws PartialCreate for a token whose secret is lost, UncertainCreate for one that may exist, Error for a token to replace that
 *   may be of another account
 */
export async function createToken(
  session: Session,
  inputs: ApiTokenInputs,
  replaced: Replaced<ApiTokenState, Word> | undefined,
): Promise<Created<ApiTokenState, Word>> {
  const { account, client } = session;
  const now = session.now();
  const expiresAt = requestedExpiry(inputs, now);
  const spec: TokenSpec = { ...pick(inputs, liveToken.keys), ...defined({ expiresAt }) };
  let overlapEnd = replaced && planOverlapEnd(replaced.state, inputs, now, client);
  await requireFuture(session, inputs, expiresAt, overlapEnd);
  if (replaced)
    await account.requireOurs(
      session,
      replaced.id,
      replaced.state.evidence,
      describeToken(replaced.id, replaced.state),
    );
  const present = { ...pick(inputs, ["key", "retire"]), ...secretsOfAll(inputs, replaced?.state ?? {}) };
  const earlier = replaced ? await renewReplaced(session, replaced.id, replaced.state, present) : [];
  const record = (shown: Token): ApiTokenState => {
    account.see(shown.id);
    const evidence = account.evidence(session, shown.id, undefined, now);
    // A declared expiry keeps its spelling.
    const observed = liveToken.observe({ ...spec, ...pick(inputs, liveToken.keys) }, shown);
    const replacements = replaced && {
      replaced: [entryOf(session, replaced, overlapEnd, present), ...earlier].slice(0, mostReplaced),
    };
    return liveToken.write({ ...recordInputs(inputs), evidence }, observed, { ...replacements });
  };
  try {
    const renewed = replaced && overlapEnd && (await regenerate(session, replaced.id, overlapEnd, spec));
    if (!renewed) overlapEnd = undefined;
    const minted = renewed || (await client.tokens.create(spec));
    const state = record(minted);
    const warning = describeResponse(session, inputs, minted, Object.keys(state.record.declared ?? {}));
    for (const words of [warning, session.clocks.describe(session)]) if (words !== undefined) await session.warn(words);
    const plans = replaced &&
      overlapEnd && { [replaced.id]: { ...replaced.planned, overlap: overlapEnd, hasBegun: true as const } };
    return { id: minted.id, state: { ...state, ...(await recordSecret(minted, state)) }, ...(plans && { plans }) };
  } catch (e) {
    if (isStatus(e, 409) && inputs.chosenName === true) throw new Error(describeConflict(e as Error), { cause: e });
    if (!isOutcomeUnknown(e)) throw e;
    throw await findLost(session, inputs, e, replaced && overlapEnd && { ...replaced, end: overlapEnd }, record);
  }
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
  const over = await session.clocks.findOver(session, [expiresAt, overlapEnd]);
  if (over === undefined) return;
  const what =
    over.date === expiresAt ? `its expiry, ${describeInstant(expiresAt, inputs)},` : "the end of rotation.overlap";
  throw new Error(
    `${describeName(inputs)} was not created: ${what} has already passed, according to ${over.clocks}. Correct the clock that is wrong, then run the command again.`,
  );
}

/**
 * With an overlap the service moves the expiry of the old token (extended interface, "Tokens").
 * @returns undefined if it had no effect, because the old token is gone
 */
async function regenerate(
  { account, client: { tokens } }: Session,
  id: string,
  existingTokenExpiresAt: string,
  newToken: TokenSpec,
): Promise<MintedToken | undefined> {
  const newTokenExpiresAt = newToken.expiresAt;
  try {
    return await tokens.regenerate(id, { existingTokenExpiresAt, newToken, ...defined({ newTokenExpiresAt }) });
  } catch (failure) {
    // "Not found" had no effect. Either the old token is gone, as with deleteBeforeReplace, or there is no such operation.
    if (!isStatus(failure, 404) || !(await account.list.isMissing(id))) throw failure;
    return undefined;
  }
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
    changed.length > 0 && `the service returned values that differ from the declared ones: ${changed.join(", ")}`,
    endless && "the service set no expiry, so the token never expires",
    due <= now().getTime() && "its rotation is due at once, so each update replaces it: shorten rotation.rotateBefore",
    isOver && "it has already expired according to the service's clock, so the clock of this machine may be slow",
    odd.length > 0 && `these fields of the service's response could not be read: ${odd.join(", ")}`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return undefined;
  return `${describeToken(minted.id, inputs)}: ${parts.join("; ")}; check that this is what you want.`;
}

const describeConflict = ({ message }: Error): string =>
  `${message}. If the service refuses a second token with the same name, leave out the name, so that each token gets its own, or set the option deleteBeforeReplace.`;
