import { host } from "../../../framework/host";
import type { Token } from "../../../sdk";
import { defined } from "../../../values/defined";
import { connect, type Lifecycle, type Session } from "../../shared/account/connection";
import { findTokenToAdopt } from "./adoption";
import { createToken } from "./create";
import { type ApiTokenInputs, type ApiTokenState, apiTokenDefinition, liveToken } from "./definition";
import type { Word } from "./fate";
import { checkApiToken } from "./inputs";
import { describeToken } from "./names";
import { planApiToken } from "./plan";
import { recordInputs, renewRecord } from "./record";
import { retireToken } from "./retire";
import { verifyToken } from "./verify";

export const apiToken: Lifecycle<ApiTokenInputs, ApiTokenState, Word> = {
  check: checkApiToken,

  diff: planApiToken,

  verify: verifyToken,

  create: (session, inputs, replaced) =>
    inputs.adopt ? adoptToken(session, inputs) : createToken(session, inputs, replaced),

  async read(session, id, state) {
    const { account } = session;
    const recorded = state.record && liveToken.read(state);
    const isRecorded = (shown: Token) => recorded !== undefined && liveToken.reconcile(recorded, shown) === recorded;
    const live = await account.find(session, id, isRecorded);
    if (!live) return account.confirmForgotten(session, id, state.evidence, describeToken(id, state));
    const evidence = account.evidence(session, id, state.evidence);
    const record = await renewRecord(session, id, state, state);
    const computed = state.expiresIn === undefined ? [] : ["expiresAt"];
    return liveToken.found<ApiTokenInputs, ApiTokenState>(state, live, { evidence, record }, computed);
  },

  // Nothing that the service knows can change in place; the secret and the record stay.
  async update(session, id, state, inputs) {
    const { account } = session;
    const { sealedToken, fingerprint } = state;
    const { token = state.token } = inputs.adopt ?? {};
    const secret = sealedToken === undefined ? { token } : { sealedToken, fingerprint };
    // The recipients of a token that stays are those that its secret is sealed for.
    const sealFor = state.token === undefined && sealedToken === undefined ? inputs.sealFor : state.sealFor;
    const { sealFor: _, ...others } = recordInputs(inputs);
    // Renew only a token of this account: the list of another account lacks everything.
    const isOurs = await account.isOurs(session, id, state.evidence).catch(() => false);
    const evidence = isOurs ? account.evidence(session, id, state.evidence) : state.evidence;
    const record = isOurs ? await renewRecord(session, id, state, inputs) : state.record;
    const next = { ...others, ...defined({ evidence, sealFor, ...secret }) };
    const declared =
      inputs.expiresIn === undefined ? inputs : { ...inputs, expiresAt: liveToken.expect(state).expiresAt };
    return liveToken.write<ApiTokenState>(next, liveToken.redeclare(liveToken.read(state), declared), record);
  },

  delete: retireToken,
};

async function adoptToken(session: Session, inputs: ApiTokenInputs) {
  const { account } = session;
  const { id, expiresAt } = await findTokenToAdopt(session, inputs);
  account.see(id);
  const token = inputs.adopt?.token;
  const evidence = account.evidence(session, id);
  const state = { ...recordInputs(inputs), ...defined({ expiresAt, token }), evidence, record: {} };
  return { id, state };
}

export const hostedApiToken = host(connect, apiTokenDefinition, apiToken);
