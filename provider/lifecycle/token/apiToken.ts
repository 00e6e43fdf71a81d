import { isApiError, type MintedToken, orGone, type Token, type TokenSpec } from "../../../sdk";
import { defined } from "../../../sdk/values/defined";
import { pick } from "../compare";
import type { Lifecycle, Session } from "../contract";
import { answersOf, reconcile, withAnswers } from "../drift";
import { confirmGone } from "../gone";
import { keyOf } from "../resourceKey";
import { findTokenToAdopt } from "./adoption";
import { describeToken } from "./describe";
import { countsFromCreation, requestedExpiry } from "./expiry";
import { keptKeys, tokenComparisons, tokenFields, tokenInputKeys } from "./fields";
import { checkApiToken } from "./inputs";
import { findListed, listerFor, noteCreate } from "./lists";
import { replaceLostToken } from "./lost";
import type { ApiTokenInputs, ApiTokenState } from "./model";
import { planApiToken } from "./plan";
import {
  declaredExpiry,
  givenExpiry,
  isAsResolved,
  keepReplaced,
  movedExpiry,
  oddFieldsOf,
  recordExpiry,
  recordInputs,
  recordReplaced,
  upgradeState,
} from "./recording";
import { retireToken } from "./retire";
import { keptRecipients, recordSecret, rehearseToken } from "./sealing";
import { derivedSecrets } from "./secrecy";
import { verifyToken } from "./verify";

export type { ApiTokenInputs, ApiTokenState } from "./model";

export const apiToken: Lifecycle<ApiTokenInputs, ApiTokenState> = {
  check: checkApiToken,

  rehearse: rehearseToken,

  diff: planApiToken,

  verify: verifyToken,

  derivedSecrets,

  create: (session, inputs) => (inputs.adopt ? adopt(session, inputs) : mint(session, inputs)),

  async read(session, id, recorded) {
    const { client, account, now } = session;
    const state = upgradeState(recorded);
    const compare = (shown: Token) => reconcile<TokenSpec, Partial<ApiTokenState>>(tokenComparisons, id, state, shown);
    const listing = findListed(session, id);
    const listed = listing && (await listing);
    // A list can say that all is as recorded; what differs in it may be the list's own shape or age.
    const asListed = listed && compare(listed);
    const isAsListed = asListed?.drifted.length === 0;
    const live = isAsListed ? listed : await orGone(client.tokens.get(id));
    if (!live) return confirmGone(account, id, state, listerFor(session, id));
    const { drifted, state: found } = isAsListed ? asListed : compare(live);
    const { declaredExpiresAt, replaced, ...rest } = account.record(found);
    const isMoved = drifted.includes("expiresAt");
    const next: ApiTokenState = {
      ...rest,
      // What no state had was not made here: an import takes it over as an adoption does.
      ...(Object.keys(recorded).length === 0 ? { adopted: true } : {}),
      name: live.name || state.name || "",
      ...(isMoved ? movedExpiry(state) : defined({ declaredExpiresAt })),
      ...keepReplaced(replaced, now(), state),
    };
    const { expiresAt: _, ...declared } = pick(next, tokenInputKeys);
    const expiry = countsFromCreation(next) && isAsResolved(next) ? undefined : declaredExpiry(next);
    const isNone = expiry === undefined || (expiry === "" && !isMoved);
    return { inputs: isNone ? declared : { ...declared, expiresAt: expiry }, state: next };
  },

  // Nothing that the service knows can change in place; the secret and what is recorded beside it stay.
  async update({ account, now }, id, recorded, inputs) {
    const state = upgradeState(recorded);
    const { replaced, answered = {}, answeredHashes, ...kept } = pick(state, keptKeys);
    const { expiresAt: declared, sealFor: _, ...others } = recordInputs(inputs);
    const expiry =
      state.declaredExpiresAt === undefined ? defined({ expiresAt: declared }) : { declaredExpiresAt: declared ?? "" };
    const next: ApiTokenState = {
      ...kept,
      ...others,
      ...expiry,
      ...defined({
        sealFor: keptRecipients(state, inputs),
        token: inputs.adopt?.token,
        account: account.labelFor(state),
      }),
      ...keepReplaced(replaced, now(), state, inputs),
    };
    return withAnswers<TokenSpec, ApiTokenState>(tokenComparisons, id, next, answered, answeredHashes);
  },

  delete: (session, id, recorded) => retireToken(session, id, upgradeState(recorded)),
};

async function adopt(session: Session, inputs: ApiTokenInputs): Promise<{ id: string; state: ApiTokenState }> {
  const { id, expiresAt } = await findTokenToAdopt(session, inputs);
  const expiry = countsFromCreation(inputs) ? { expiresAt } : {};
  const members = defined({ ...expiry, token: inputs.adopt?.token });
  return { id, state: session.account.record<ApiTokenState>({ ...recordInputs(inputs), ...members, adopted: true }) };
}

async function mint(session: Session, inputs: ApiTokenInputs): Promise<{ id: string; state: ApiTokenState }> {
  const now = session.now();
  const spec: TokenSpec = { ...pick(inputs, tokenFields), ...defined({ expiresAt: requestedExpiry(inputs, now) }) };
  const minted = await createOnce(session, inputs, spec);
  const answers = answersOf<TokenSpec>(tokenComparisons, spec, minted);
  const warning = describeAnswer(inputs, minted, Object.keys(answers));
  if (warning !== undefined) await session.warn(warning);
  const { expiresAt: _, ...declared } = recordInputs(inputs);
  const state: ApiTokenState = session.account.record<ApiTokenState>({
    ...declared,
    ...recordExpiry(inputs, givenExpiry(minted, spec.expiresAt)),
    createdAt: now.toISOString(),
    ...recordReplaced(session, inputs, now),
  });
  const secret = await recordSecret(minted, state);
  const { expiresAt, ...others } = answers;
  // An expiry that is counted from the creation is nobody's declared value: what the service gave is what it came to.
  const recorded = countsFromCreation(inputs) ? others : { ...others, ...defined({ expiresAt }) };
  const whole = withAnswers<TokenSpec, ApiTokenState>(tokenComparisons, minted.id, { ...state, ...secret }, recorded);
  return { id: minted.id, state: whole };
}

/** The engine can ask for the same create again (`onError` hooks): one whose end is not known is never sent a second time. */
async function createOnce(session: Session, inputs: ApiTokenInputs, spec: TokenSpec): Promise<MintedToken> {
  const { ledger, client } = session;
  const name = JSON.stringify([keyOf(inputs), inputs.name]);
  const unsure = ledger.findUnsure(name);
  if (unsure) throw unsure;
  noteCreate(session);
  try {
    return await client.tokens.create(spec);
  } catch (e) {
    if (!isApiError(e) || e.outcome !== "unknown") throw e;
    return await replaceLostToken(session, inputs, spec, e).catch((failure: Error) => {
      if (!isApiError(failure)) ledger.noteUnsure(name, failure);
      throw failure;
    });
  }
}

/** What a user should know of a new token that is not as it was asked for. */
function describeAnswer(inputs: ApiTokenInputs, minted: Token, changed: readonly string[]): string | undefined {
  const odd = Object.entries(oddFieldsOf(minted)).map(([field, reason]) => `${field} (${reason})`);
  const endless = changed.includes("expiresAt") && minted.expiresAt === undefined;
  const parts = [
    changed.length > 0 && `the service answered other values than declared for ${changed.join(", ")}`,
    endless && "it gave no expiry, so the token never expires",
    odd.length > 0 && `the service's answer could not be read in ${odd.join(", ")}`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return undefined;
  return `${describeToken(minted.id, inputs)}: ${parts.join("; ")}; check that this is what you want.`;
}
