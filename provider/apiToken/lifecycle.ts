import { pick } from "../../framework/compare";
import type { Bag } from "../../framework/lifecycle";
import { orGone, type Token } from "../../sdk";
import { defined } from "../../values/defined";
import { isObject } from "../../values/json";
import type { Lifecycle, Session } from "../account/connection";
import { host } from "../account/hosted";
import { findTokenToAdopt } from "./adoption";
import { createToken } from "./create";
import { apiTokenDefinition } from "./definition";
import { countsFromCreation } from "./expiry";
import { comparedFields, liveToken, tokenInputKeys } from "./fields";
import { checkApiToken } from "./inputs";
import type { ApiTokenInputs, ApiTokenState } from "./model";
import { describeToken } from "./names";
import { planApiToken } from "./plan";
import { retireToken } from "./retire";
import { carryPredecessors } from "./retirement";
import { rotatesAt } from "./rotation";
import { fingerprintOfToken, rehearseToken } from "./sealing";
import { isAsCounted, newState, recordInputs, redeclare, rememberExpiry, withPredecessors } from "./state";

export type { ApiTokenInputs, ApiTokenState } from "./model";

const hooks: Lifecycle<ApiTokenInputs, ApiTokenState> = {
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

  create: (session, inputs) => (inputs.adopt ? adopt(session, inputs) : createToken(session, inputs)),

  async read(session, id, state) {
    const { client, account, lists, now } = session;
    const recorded = liveToken.read(state);
    const compare = (shown: Token) => liveToken.reconcile(recorded, shown);
    const listed = await lists.find(session, id);
    // A list can say that all is as recorded; a difference in it may be the list's own shape or age.
    const isAsListed = listed !== undefined && compare(listed).drifted.length === 0;
    const live = isAsListed ? listed : await orGone(client.tokens.get(id));
    if (!live) return undefined;
    // Nothing of a token that does not have the name of this create is this resource's: to record it would prove it.
    if (state.record?.origin === "alleged" && live.name !== state.name) return { state: state as ApiTokenState };
    const found = compare(live);
    // A token that no state had was not created here: an import takes it over as an adoption does.
    const { priorExpiresAt: before, ...others } = state.record ?? { origin: "adopted" as const };
    const isMoved = state.record !== undefined && found.drifted.includes("expiresAt");
    const { priorExpiresAt, ...observed } = isMoved
      ? rememberExpiry(state as ApiTokenState, found)
      : { ...found, priorExpiresAt: before };
    const record = { ...others, ...account.see(state.record), ...defined({ priorExpiresAt }) };
    const next = liveToken.write<ApiTokenState>(
      state,
      observed,
      withPredecessors(record, state.record?.predecessors, now()),
    );
    return { inputs: readInputs(next), state: next };
  },

  // Nothing that the service knows can change in place; the secret and the record stay.
  async update({ account, now }, _id, state, inputs) {
    const { createdAt, sealedToken, fingerprint } = state;
    const { token = state.token } = inputs.adopt ?? {};
    const secret = sealedToken === undefined ? { token } : { sealedToken, fingerprint };
    // The recipients of a token that stays are those that its secret is sealed for.
    const sealFor = state.token === undefined && sealedToken === undefined ? inputs.sealFor : state.sealFor;
    const { sealFor: _, ...others } = recordInputs(inputs);
    const predecessors = carryPredecessors(state.record.predecessors ?? [], state, inputs);
    const { priorExpiresAt, ...observed } = redeclare(state, inputs);
    const { priorExpiresAt: _before, ...kept } = state.record;
    const record = { ...kept, ...account.keep(state.record), ...defined({ priorExpiresAt }) };
    const next = { ...others, ...defined({ createdAt, sealFor, ...secret }) };
    return liveToken.write<ApiTokenState>(next, observed, withPredecessors(record, predecessors, now()));
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
  const record = { ...session.account.see(), origin: "adopted" } as const;
  const { state } = newState(inputs, live.expiresAt, undefined, session.now(), record);
  return { id: live.id, state: { ...state, ...defined({ token: inputs.adopt?.token }) } };
}

const givesToken = ({ adopt }: Bag): boolean => isObject(adopt) && adopt.token !== undefined;

export const { lifecycle: apiToken, hosted: hostedApiToken } = host(apiTokenDefinition, hooks, {
  create: "tokens.create",
  objects: { describe: describeToken, list: (session, id) => session.lists.confirm(session, id).list() },
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
