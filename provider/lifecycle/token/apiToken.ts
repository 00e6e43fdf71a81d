import { isApiError, type MintedToken, orGone, type TokenSpec } from "../../../sdk";
import { defined } from "../../../sdk/values/defined";
import { asInstant, isSame, pick } from "../compare";
import type { Lifecycle } from "../contract";
import { answersOf, reconcile, withAnswers } from "../drift";
import { believeOnlyOwnService, confirmGone } from "../gone";
import { findTokenToAdopt } from "./adoption";
import { countsFromCreation, requestedExpiry } from "./expiry";
import { keptKeys, tokenComparisons, tokenFields, tokenInputKeys } from "./fields";
import { checkApiToken } from "./inputs";
import { handleLostToken } from "./lost";
import type { ApiTokenInputs, ApiTokenState } from "./model";
import { planApiToken } from "./plan";
import { keptRecipients, recordSecret, rehearseToken } from "./sealing";

export type { ApiTokenInputs, ApiTokenState } from "./model";

export const apiToken: Lifecycle<ApiTokenInputs, ApiTokenState> = {
  check: checkApiToken,

  rehearse: rehearseToken,

  diff: planApiToken,

  async create(session, inputs) {
    const { baseUrl } = session.client;
    if (inputs.adopt) {
      const { id, expiresAt } = await findTokenToAdopt(session, inputs);
      const expiry = countsFromCreation(inputs) ? { expiresAt, resolvedExpiresAt: expiresAt } : {};
      return { id, state: { ...recordInputs(inputs), ...defined({ ...expiry, token: inputs.adopt.token }), baseUrl } };
    }
    const now = session.now();
    const expiresAt = requestedExpiry(inputs, now);
    const spec: TokenSpec = { ...pick(inputs, tokenFields), ...defined({ expiresAt }) };
    let minted: MintedToken;
    try {
      minted = await session.client.tokens.create(spec);
    } catch (e) {
      if (isApiError(e) && e.outcome === "unknown") throw await handleLostToken(session, inputs, e);
      throw e;
    }
    if (minted.odd) {
      await session.warn(
        `API token "${inputs.name}" (id ${minted.id}): the service's answer could not be read in full (${Object.keys(minted.odd).join(", ")}); id and secret are recorded.`,
      );
    }
    const answers = answersOf<TokenSpec>(tokenComparisons, spec, minted);
    const changed = Object.keys(answers);
    if (changed.length > 0) {
      await session.warn(
        `API token "${inputs.name}" (id ${minted.id}): the service answered other values than declared for ${changed.join(", ")}; check that they are what you want.`,
      );
    }
    const state: ApiTokenState = {
      ...recordInputs(inputs),
      ...(countsFromCreation(inputs) && expiresAt ? { expiresAt, resolvedExpiresAt: expiresAt } : {}),
      createdAt: now.toISOString(),
      baseUrl,
      ...(await recordSecret(minted, inputs, baseUrl)),
    };
    return { id: minted.id, state: withAnswers(state, answers) };
  },

  async read({ client }, id, state) {
    const live = await orGone(client.tokens.get(id));
    if (!live) return confirmGone(client, id, state, client.tokens);
    const found = reconcile<TokenSpec, Partial<ApiTokenState>>(tokenComparisons, state, live);
    const next: ApiTokenState = { ...found.state, name: live.name || state.name || "", baseUrl: client.baseUrl };
    const { expiresAt, ...declared } = pick(next, tokenInputKeys);
    const counted = countsFromCreation(next) && isSame(asInstant, next.expiresAt, next.resolvedExpiresAt);
    return { inputs: counted ? declared : { ...declared, ...defined({ expiresAt }) }, state: next };
  },

  // Nothing that the service knows can change in place; the secret and what is recorded beside it stay.
  async update(_session, _id, state, inputs) {
    const { sealFor: _, ...declared } = recordInputs(inputs);
    const beside = defined({ sealFor: keptRecipients(state, inputs), token: inputs.adopt?.token });
    return { ...pick(state, keptKeys), ...declared, ...beside };
  },

  async delete({ client, warn, adopted }, id, state) {
    if (adopted.has(id)) {
      return warn(`${describeToken(id, state)} was adopted by another resource in this update: it is left alone.`);
    }
    const can = client.can("tokens.delete");
    if (!can || state.retire === "expire") return warn(describeKeptToken(id, state, can));
    const done = await orGone(client.tokens.delete(id).then(() => true));
    if (!done) believeOnlyOwnService(client, id, state);
  },
};

/** The inputs as they are recorded. The secret that came with an adoption is recorded as `token`, and only there. */
function recordInputs({ adopt, ...inputs }: ApiTokenInputs): ApiTokenInputs {
  return {
    ...pick(
      inputs,
      tokenInputKeys.filter((key) => key !== "adopt"),
    ),
    ...(adopt ? { adopt: pick(adopt, ["id", "name"]) } : {}),
  };
}

const describeToken = (id: string, { name }: ApiTokenState): string => `API token "${name}" (id ${id})`;

function describeKeptToken(id: string, state: ApiTokenState, can: boolean): string {
  const validity = state.expiresAt ? `stays valid until ${state.expiresAt}` : "has no expiry and stays valid";
  const reason = can ? 'retire is "expire"' : "the documented interface has no way to revoke a token";
  return `${describeToken(id, state)} is no longer managed here, but it ${validity}: ${reason}.`;
}
