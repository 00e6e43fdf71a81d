import { pick } from "../../framework/compare";
import type { Bag } from "../../framework/lifecycle";
import { isApiError, isStatus, type MintedToken, orGone, type Token, type TokenSpec, tokenFields } from "../../sdk";
import { defined } from "../../values/defined";
import { isObject } from "../../values/json";
import type { Lifecycle, Session } from "../account/connection";
import { confirmGone } from "../account/gone";
import { type Hosted, host, refuseFields } from "../account/hosted";
import { findTokenToAdopt } from "./adoption";
import { apiTokenDefinition } from "./definition";
import { countsFromCreation, requestedExpiry } from "./expiry";
import { comparedFields, liveToken, tokenInputKeys } from "./fields";
import { checkApiToken } from "./inputs";
import { replaceLostToken } from "./lost";
import type { ApiTokenInputs, ApiTokenState } from "./model";
import { describeToken } from "./names";
import { findOverlap, type Overlap, sendCreate } from "./overlap";
import { planApiToken } from "./plan";
import { hideSecrets, recordPredecessors } from "./predecessors";
import { retireToken, revokeAbandoned } from "./retire";
import { rotatesAt } from "./rotation";
import { fingerprintOfToken, keptRecipients, recordSecret, rehearseToken } from "./sealing";
import { isAsCounted, keepValid, newState, recordInputs, redeclare, rememberCounted, withPredecessors } from "./state";

export type { ApiTokenInputs, ApiTokenState } from "./model";

export const apiToken: Lifecycle<ApiTokenInputs, ApiTokenState> = {
  check: checkApiToken,

  rehearse: rehearseToken,

  diff: planApiToken,

  async verify(session, id, { record, ...state }) {
    const { client, account, lists } = session;
    if (!client.can("tokens.delete") || !account.isCertain(record)) return undefined;
    const ids = await lists.ids(session);
    if (ids === undefined || ids.has(id)) return undefined;
    return `${describeToken(id, state)} is in the state but no longer exists: run "pulumi refresh", then "pulumi up" creates it anew.`;
  },

  create: (session, inputs) => (inputs.adopt ? adopt(session, inputs) : create(session, inputs)),

  async read(session, id, state) {
    const { client, account, lists, now } = session;
    const recorded = liveToken.read(state);
    const compare = (shown: Token) => liveToken.reconcile(recorded, shown);
    const listed = await lists.find(session, id);
    // A list can say that all is as recorded; a difference in it may be the list's own shape or age.
    const isAsListed = listed !== undefined && compare(listed).drifted.length === 0;
    const live = isAsListed ? listed : await orGone(client.tokens.get(id));
    if (!live) return confirmGone(account, id, state.record ?? {}, lists.confirm(session, id));
    // Nothing of a token that does not have the name of this create is this resource's: to record it would prove it.
    if (state.record?.origin === "alleged" && live.name !== state.name) return { state: state as ApiTokenState };
    const found = compare(live);
    const observed = found.drifted.includes("expiresAt") ? rememberCounted(state, found) : found;
    // A token that no state had was not created here: an import takes it over as an adoption does.
    const record = { origin: "adopted" as const, ...state.record, ...account.see(state.record) };
    const predecessors = keepValid(state.record?.predecessors, now());
    const next = liveToken.write<ApiTokenState>(state, observed, withPredecessors(record, predecessors));
    return { inputs: readInputs(next), state: next };
  },

  // Nothing that the service knows can change in place; the secret and the record stay.
  async update({ account, now }, _id, state, inputs) {
    const { createdAt, sealedToken, fingerprint } = state;
    const { token = state.token } = inputs.adopt ?? {};
    const secret = sealedToken === undefined ? { token } : { sealedToken, fingerprint };
    const sealFor = keptRecipients(state, inputs);
    const next = { ...recordInputs(inputs), ...defined({ createdAt, ...secret }), record: state.record };
    const { sealFor: _, ...others } = next;
    const record = withPredecessors(
      { ...state.record, ...account.keep(state.record) },
      keepValid(state.record.predecessors, now()).map((one) => hideSecrets(one, inputs)),
    );
    return liveToken.write<ApiTokenState>({ ...others, ...defined({ sealFor }) }, redeclare(state, inputs), record);
  },

  delete: retireToken,
};

/** The inputs as a refresh finds them: recorded ones where the live values are as recorded. */
function readInputs(state: ApiTokenState): ApiTokenInputs {
  const { expiresAt: counted, ...fields } = liveToken.expect(state);
  const isCounted = countsFromCreation(state);
  const expiresAt = !isCounted ? counted : isAsCounted(state) ? undefined : state.expiresAt;
  const others = pick(
    state,
    tokenInputKeys.filter((key) => !(comparedFields as string[]).includes(key)),
  );
  return { ...others, ...fields, ...defined({ expiresAt }) } as ApiTokenInputs;
}

async function adopt(session: Session, inputs: ApiTokenInputs): Promise<{ id: string; state: ApiTokenState }> {
  const live = await findTokenToAdopt(session, inputs);
  const { state } = newState(inputs, live.expiresAt, undefined, {
    sighting: session.account.see(),
    origin: "adopted",
  });
  return { id: live.id, state: { ...state, ...defined({ token: inputs.adopt?.token }) } };
}

async function create(session: Session, inputs: ApiTokenInputs): Promise<{ id: string; state: ApiTokenState }> {
  const { account, client, update } = session;
  // By the service's clock, if a response has told it: a slow clock here would create a token that has expired already.
  const now = client.clock.offset() === undefined ? session.now() : client.clock.now();
  const spec: TokenSpec = { ...pick(inputs, comparedFields), ...defined({ expiresAt: requestedExpiry(inputs, now) }) };
  const overlap = findOverlap(session, inputs, now);
  const minted = await createOnce(session, inputs, spec, overlap);
  const { id } = minted;
  update.yieldKept(inputs.key);
  const { state, changed } = newState(inputs, spec.expiresAt, minted, {
    sighting: account.see(),
    origin: "created",
    predecessors: recordPredecessors(update, inputs, now, client, overlap),
    createdAt: now.toISOString(),
  });
  const warning = describeResponse(inputs, minted, changed);
  if (warning !== undefined) await session.warn(warning);
  update.succeed(inputs.key, { id, state });
  await revokeAbandoned(session, inputs);
  return { id, state: { ...state, ...(await recordSecret(minted, state)) } };
}

async function createOnce(
  session: Session,
  inputs: ApiTokenInputs,
  spec: TokenSpec,
  overlap: Overlap | undefined,
): Promise<MintedToken> {
  session.lists.noteCreate();
  try {
    return await sendCreate(session.client, spec, overlap);
  } catch (e) {
    if (isStatus(e, 409) && inputs.chosenName) throw new Error(describeConflict(e as Error), { cause: e });
    if (!isApiError(e) || e.outcome !== "unknown") throw e;
    return await replaceLostToken(session, inputs, spec, e, overlap);
  }
}

const describeConflict = ({ message }: Error): string =>
  `${message}. If the service refuses a second token of the same name: leave the name out, so that each token gets its own, or set the option deleteBeforeReplace.`;

/** The warning for a new token that is not as it was requested. */
function describeResponse(inputs: ApiTokenInputs, minted: Token, changed: readonly string[]): string | undefined {
  const odd = Object.entries(minted.odd ?? {}).map(([field, reason]) => `${field} (${reason})`);
  const endless = changed.includes("expiresAt") && minted.expiresAt === undefined;
  const parts = [
    changed.length > 0 && `the service answered other values than declared for ${changed.join(", ")}`,
    endless && "it gave no expiry, so the token never expires",
    odd.length > 0 && `the service's answer could not be read in ${odd.join(", ")}`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return undefined;
  return `${describeToken(minted.id, inputs)}: ${parts.join("; ")}; check that this is what you want.`;
}

const givesToken = ({ adopt }: Bag): boolean => isObject(adopt) && adopt.token !== undefined;

export const hostedApiToken: Hosted = host(apiTokenDefinition, apiToken, {
  refuse: refuseFields("tokens.create", tokenFields),
  generated: (inputs) => (inputs.chosenName === undefined && inputs.adopt === undefined ? ["name"] : []),
  derive(state) {
    const { rotation, expiresAt, createdAt, ...secret } = state as Partial<ApiTokenState>;
    return defined({
      fingerprint: fingerprintOfToken(secret),
      rotatesAt: rotatesAt({ expiresAt, createdAt }, rotation)?.toISOString(),
    });
  },
  renewed: (inputs) => (givesToken(inputs) ? ["token", "fingerprint"] : []),
  // While adopt is there, the record tells what the adopted token was declared with.
  recordedInputs: (inputs) => (inputs.adopt === undefined ? ["rotation"] : []),
});
