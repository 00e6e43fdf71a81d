import { pick } from "../../framework/compare";
import type { Replaced } from "../../framework/lifecycle";
import { type EventDatasets, isStatus, type MintedToken, orGone, type Token, type TokenSpec } from "../../sdk";
import { defined } from "../../values/defined";
import type { Session } from "../account/connection";
import { type ApiTokenInputs, type ApiTokenState, liveToken } from "./definition";
import { requestedExpiry } from "./expiry";
import { decideFate, type Fate, findOverlapEnd } from "./fate";
import { findLost, isOutcomeUnknown } from "./lost";
import { describeToken } from "./names";
import { recordInputs, recordReplaced } from "./record";
import { rotatesAt } from "./rotation";
import { recordSecret } from "./sealing";

type Old = Replaced<ApiTokenState, Fate>;

/** Expiries count from the service's clock, if a response has told it: a slow clock here would create an expired token. */
const timeOf = ({ client, now }: Session): Date => (client.clock.offset() === undefined ? now() : client.clock.now());

/**
 * Creates a token with one request.
 * @param replaced the token that it replaces, if a diff of this update saw it
 * @throws PartialCreate for a token whose secret is lost, UncertainCreate for one that may exist
 */
export async function createToken(
  session: Session,
  inputs: ApiTokenInputs,
  replaced: Old | undefined,
): Promise<{ readonly id: string; readonly state: ApiTokenState }> {
  const { account, client } = session;
  if (replaced) await prepareReplacement(session, replaced, inputs);
  const now = timeOf(session);
  const expiresAt = requestedExpiry(inputs, now);
  const spec: TokenSpec = { ...pick(inputs, liveToken.keys), ...defined({ expiresAt }) };
  let overlapEnd = replaced && findOverlapEnd(replaced.state, inputs, now, client);
  const record = (shown: Token): ApiTokenState => {
    account.see(shown.id);
    const fate = replaced && findFate(replaced, inputs, overlapEnd, session);
    const evidence = account.evidence(shown.id, undefined, now);
    // A declared expiry keeps its spelling.
    const observed = liveToken.observe({ ...spec, ...pick(inputs, liveToken.keys) }, shown);
    const replacements = recordReplaced(session, inputs, replaced, fate);
    return liveToken.write({ ...recordInputs(inputs), evidence }, observed, replacements);
  };
  try {
    const renewed = replaced && overlapEnd && (await regenerate(session, replaced.id, overlapEnd, spec));
    if (!renewed) overlapEnd = undefined;
    const minted = renewed || (await client.tokens.create(spec));
    const state = record(minted);
    const warning = describeResponse(inputs, minted, Object.keys(state.record.declared ?? {}), client.clock);
    if (warning !== undefined) await session.warn(warning);
    return { id: minted.id, state: { ...state, ...(await recordSecret(minted, state)) } };
  } catch (e) {
    if (isStatus(e, 409) && inputs.chosenName) throw new Error(describeConflict(e as Error), { cause: e });
    if (!isOutcomeUnknown(e)) throw e;
    throw await findLost(session, inputs, e, replaced && overlapEnd && { ...replaced, end: overlapEnd }, record);
  }
}

/**
 * Refuses to replace a token of another account, and lets a response tell the service's clock.
 * @throws Error for a token that may be of another account
 */
async function prepareReplacement(session: Session, { id, state }: Old, inputs: ApiTokenInputs): Promise<void> {
  const { account, client } = session;
  account.giveUp(id);
  await account.requireOurs(session, id, state.evidence, describeToken(id, state));
  const isCounted = inputs.expiresIn !== undefined || inputs.rotation?.overlap !== undefined;
  // Whatever the response is, it states the time.
  if (isCounted && client.clock.offset() === undefined) await client.tokens.get(id).catch(() => undefined);
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
    const minted = await tokens.regenerate(id, { existingTokenExpiresAt, newToken, ...defined({ newTokenExpiresAt }) });
    account.overlaps.set(id, existingTokenExpiresAt);
    return minted;
  } catch (failure) {
    // "Not found" had no effect. Either the old token is gone, as with deleteBeforeReplace, or there is no such operation.
    if (!isStatus(failure, 404)) throw failure;
    const live = await orGone(tokens.get(id)).catch(() => "unknown");
    if (live !== undefined) throw failure;
    return undefined;
  }
}

function findFate({ state, planned }: Old, inputs: ApiTokenInputs, end: string | undefined, session: Session): Fate {
  if (end !== undefined) return { ends: "later", because: "overlap", until: end };
  return planned && !(planned.ends === "later" && planned.because === "overlap")
    ? planned
    : decideFate({ retire: inputs.retire } as ApiTokenInputs, state.expiresAt, session.client);
}

/** The warning for a new token that is not as it was requested. */
function describeResponse(
  inputs: ApiTokenInputs,
  minted: Token,
  changed: readonly string[],
  clock: EventDatasets["clock"],
): string | undefined {
  const odd = Object.entries(minted.odd ?? {}).map(([field, reason]) => `${field} (${reason})`);
  const now = clock.offset() === undefined ? Number.NEGATIVE_INFINITY : clock.now().getTime();
  const end = Date.parse(minted.expiresAt ?? "");
  // The service can also write "no expiry" as a time long ago.
  const isOver = end > 0 && end <= now;
  const due = rotatesAt(minted, inputs.rotation)?.getTime() ?? Number.POSITIVE_INFINITY;
  const endless = changed.includes("expiresAt") && minted.expiresAt === undefined;
  const parts = [
    changed.length > 0 && `the service returned other values than declared for ${changed.join(", ")}`,
    endless && "it gave no expiry, so the token never expires",
    due <= now && "its rotation is due at once, so each update replaces it: shorten rotation.rotateBefore",
    isOver && "it has expired already according to the service's clock, so the clock of this machine may be slow",
    odd.length > 0 && `the service's response could not be read in ${odd.join(", ")}`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return undefined;
  return `${describeToken(minted.id, inputs)}: ${parts.join("; ")}; check that this is what you want.`;
}

const describeConflict = ({ message }: Error): string =>
  `${message}. If the service refuses a second token of the same name: leave the name out, so that each token gets its own, or set the option deleteBeforeReplace.`;
