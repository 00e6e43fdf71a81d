import { type ApiError, isApiError, type MintedToken, orGone, type Token, type TokenSpec } from "../../../sdk";
import { deadlineKinds } from "../../../sdk/operations";
import { defined } from "../../../sdk/values/defined";
import { PartialCreate, type Session } from "../contract";
import { confirmGone } from "../gone";
import { describeName } from "./describe";
import type { ApiTokenInputs, ApiTokenState } from "./model";
import { givenExpiry, recordExpiry, recordInputs, recordReplaced } from "./recording";

/**
 * How long is waited before the tokens are listed again, in milliseconds: a token can appear a little after its creation,
 * and a service that restarts can take a minute.
 */
const pauses = [2_000, 4_000, 8_000, 16_000, 30_000] as const;

/**
 * Deals with a create whose answer was lost. The token may be alive and its secret is nowhere, so it is looked for: by the
 * id that the answer still held, or by a name that only this attempt can have generated. Found, it is revoked, and once
 * that is confirmed its one effect is undone, so it is created again; where that answer is lost too, as often as any call
 * is made again. Where it cannot be revoked it is tracked, and the next update replaces it. A name that the user chose
 * proves nothing; its bearers are listed.
 * @throws PartialCreate for a token that was found and not replaced, Error for one that may exist
 */
export async function replaceLostToken(
  session: Session,
  inputs: ApiTokenInputs,
  spec: TokenSpec,
  failure: ApiError,
): Promise<MintedToken> {
  const began = session.elapsed();
  session.ledger.remakes.countCall();
  for (let attempt = 1, lastFailure = failure; ; attempt++) {
    const lost = await findLostToken(session, inputs, lastFailure);
    const remaining = deadlineKinds.call.limit - (session.elapsed() - began);
    if (!session.client.can("tokens.delete") || !mayMakeAgain(session, attempt, remaining))
      throw trackLost(session, lost, inputs, spec, lastFailure.message);
    try {
      await revoke(session, lost.id);
    } catch (e) {
      const reason = e instanceof Error ? e.message : String(e);
      throw trackLost(session, lost, inputs, spec, `${lastFailure.message}. It could not be revoked (${reason})`);
    }
    await session.inform(
      `${describeName(inputs)}: the answer to its creation was lost (${lastFailure.message}). The token (id ${lost.id}) is revoked, and is created again.`,
    );
    try {
      return await session.client.tokens.create(spec);
    } catch (e) {
      if (!isApiError(e) || e.outcome !== "unknown") throw e;
      lastFailure = e;
    }
  }
}

/** The first time always; then as far as any call may be made again. Nothing is waited for: the service has just answered. */
const mayMakeAgain = ({ ledger }: Session, attempt: number, remaining: number): boolean =>
  attempt === 1 || ledger.remakes.delayAfter(attempt, { retryable: true }, remaining) !== undefined;

/** A token whose secret never arrived, with what is known of it. */
type Lost = Pick<Token, "id"> & { readonly live?: Token };

/** @throws Error that says what may exist if the token is not found for certain */
async function findLostToken(session: Session, inputs: ApiTokenInputs, failure: ApiError): Promise<Lost> {
  if (failure.id !== undefined) return { id: failure.id };
  const found = await findByName(session, inputs.name);
  if (found instanceof Error) {
    throw describePossibleToken(inputs, failure, `The tokens could not be listed to look for it (${found.message})`);
  }
  const [token] = found;
  if (token && found.length === 1 && inputs.autoName !== undefined) return { id: token.id, live: token };
  if (!token) throw describePossibleToken(inputs, failure, "The list of tokens does not show it");
  throw describePossibleToken(inputs, failure, `Tokens of that name: ${found.map(({ id }) => id).join(", ")}`);
}

/** Lists until the token is there, two lists do not have it, or the time is over. A refused list is not asked for again. */
async function findByName({ client, sleep }: Session, name: string): Promise<Token[] | Error> {
  let failed: Error | undefined;
  let missing = 0;
  for (const pause of [...pauses, undefined]) {
    try {
      const bearers = (await client.tokens.list()).filter((token) => token.name === name);
      if (bearers.length > 0 || ++missing > 1) return bearers;
    } catch (e) {
      failed = e instanceof Error ? e : new Error(String(e));
      if (isApiError(e) && e.outcome === "refused") return failed;
    }
    if (pause !== undefined) await sleep(pause);
  }
  return failed ?? [];
}

async function revoke({ client, account }: Session, id: string): Promise<void> {
  await orGone(client.tokens.delete(id));
  if (await orGone(client.tokens.get(id))) throw new Error("the service still has it");
  await confirmGone(account, id, account.here, client.tokens);
}

function trackLost(
  session: Session,
  { id, live }: Lost,
  inputs: ApiTokenInputs,
  spec: TokenSpec,
  reason: string,
): PartialCreate {
  const { account, now } = session;
  const { expiresAt: _, ...declared } = recordInputs(inputs);
  const state: ApiTokenState = account.record<ApiTokenState>({
    ...declared,
    ...recordExpiry(inputs, live ? givenExpiry(live, spec.expiresAt) : spec.expiresAt),
    ...defined(recordReplaced(session, inputs, now())),
    lost: true,
  });
  return new PartialCreate(
    [
      `${reason}. ${describeName(inputs)} was created with id ${id}, but its secret never arrived`,
      `and cannot be read again. It is kept in the state as unusable; the next "pulumi up" replaces`,
      "it.",
    ].join(" "),
    id,
    state,
  );
}

const describePossibleToken = (inputs: ApiTokenInputs, failure: ApiError, seen: string): Error =>
  new Error(
    [
      `${failure.message}. ${describeName(inputs)} may exist all the same, with a secret that`,
      `nobody knows; it was not requested again. ${seen}. Revoke it if it is there, then run`,
      `"pulumi up" again.`,
    ].join(" "),
    { cause: failure },
  );
