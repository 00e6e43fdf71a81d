import { isApiError, type MintedToken, orGone, type Token, type TokenSpec } from "../../../sdk";
import { asInstant, changedKeys, pick, same } from "../compare";
import type { Lifecycle } from "../contract";
import { believeOnlyOwnService, confirmGone } from "../gone";
import { adoptedToken } from "./adoption";
import { countsFromCreation, requestedExpiry } from "./expiry";
import { type TokenField, tokenComparisons, tokenFields } from "./fields";
import { type ApiTokenInputs, apiTokenInputKeys, checkApiToken } from "./inputs";
import { lostToken } from "./lost";
import { planApiToken } from "./plan";

export type { ApiTokenInputs } from "./inputs";

/** What is recorded of a token. */
export interface ApiTokenState extends ApiTokenInputs {
  /** The secret. Only the creation answers it, so it is carried along from there on. */
  readonly token?: string;
  /** The service that the token lives on: under another address, "not found" would say nothing about it. */
  readonly baseUrl?: string;
  /** When it was created, by this side's clock; absent for an adopted token. */
  readonly createdAt?: string;
  /** The expiry that `expiresIn` or `rotation.expireAfter` came to, or that an adopted token had. */
  readonly resolvedExpiresAt?: string;
  /** The token exists, but its secret never arrived: it is of no use and is replaced. */
  readonly lost?: true;
  /** What the service made of declared values when it answered them differently, or chose where none was declared. */
  readonly answered?: Partial<TokenSpec>;
}

/** What an update in place carries over. */
const keptKeys = ["token", "baseUrl", "createdAt", "resolvedExpiresAt", "lost", "answered", "expiresAt"] as const;

export const apiToken: Lifecycle<ApiTokenInputs, ApiTokenState> = {
  check: checkApiToken,

  diff: planApiToken,

  async create(session, inputs) {
    const { baseUrl } = session.client;
    if (inputs.adopt) {
      const { id, expiresAt } = await adoptedToken(session, inputs);
      const secret = inputs.adopt.token === undefined ? {} : { token: inputs.adopt.token };
      const expiry = countsFromCreation(inputs) && expiresAt ? { expiresAt, resolvedExpiresAt: expiresAt } : {};
      return { id, state: { ...recorded(inputs), ...expiry, ...secret, baseUrl } };
    }
    const now = session.now();
    const expiresAt = requestedExpiry(inputs, now);
    const spec: TokenSpec = { ...pick(inputs, tokenFields), ...(expiresAt ? { expiresAt } : {}) };
    let minted: MintedToken;
    try {
      minted = await session.client.tokens.create(spec);
    } catch (e) {
      if (isApiError(e) && e.outcome === "unknown") throw await lostToken(session, inputs, e);
      throw e;
    }
    const answered = observed(changedKeys(tokenComparisons, spec, minted), minted);
    const changed = Object.keys(answered);
    if (changed.length > 0) {
      await session.warn(
        `API token "${inputs.name}" (id ${minted.id}): the service answered other values than declared for ${changed.join(", ")}; check that they are what you want.`,
      );
    }
    const state: ApiTokenState = {
      ...recorded(inputs),
      ...(countsFromCreation(inputs) && expiresAt ? { expiresAt, resolvedExpiresAt: expiresAt } : {}),
      ...(changed.length > 0 ? { answered } : {}),
      createdAt: now.toISOString(),
      baseUrl,
      token: minted.token,
    };
    return { id: minted.id, state };
  },

  async read({ client }, id, state) {
    const live = await orGone(client.tokens.get(id));
    if (!live) return confirmGone(client, id, state, client.tokens);
    const { answered = {}, ...before } = state;
    const drifted = changedKeys(tokenComparisons, { ...before, ...answered }, live);
    const settled = pick(
      answered,
      tokenFields.filter((key) => !drifted.includes(key)),
    );
    const next: ApiTokenState = {
      ...before,
      ...(Object.keys(settled).length > 0 ? { answered: settled } : {}),
      name: live.name,
      ...observed(drifted, live),
      baseUrl: client.baseUrl,
    };
    const { expiresAt: _, ...declared } = pick(next, apiTokenInputKeys);
    const counted = countsFromCreation(next) && same(asInstant, next.expiresAt, next.resolvedExpiresAt);
    return { inputs: counted ? declared : pick(next, apiTokenInputKeys), state: next };
  },

  // Nothing that the service knows can change in place; the secret and what is recorded beside it stay.
  async update(_session, _id, state, inputs) {
    const secret = inputs.adopt?.token === undefined ? {} : { token: inputs.adopt.token };
    return { ...pick(state, keptKeys), ...recorded(inputs), ...secret };
  },

  async delete({ client, warn, adopted }, id, state) {
    if (adopted.has(id))
      return warn(`${called(id, state)} was adopted by another resource in this update: it is left alone.`);
    const can = client.can("tokens.delete");
    if (!can || state.retire === "expire") return warn(left(id, state, can));
    const done = await orGone(client.tokens.delete(id).then(() => true));
    if (!done) believeOnlyOwnService(client, id, state);
  },
};

/** The inputs as they are recorded. The secret that came with an adoption is recorded as `token`, and only there. */
function recorded({ adopt, ...inputs }: ApiTokenInputs): ApiTokenInputs {
  return {
    ...pick(
      inputs,
      apiTokenInputKeys.filter((key) => key !== "adopt"),
    ),
    ...(adopt ? { adopt: pick(adopt, ["id", "name"]) } : {}),
  };
}

/** The live values of some keys. The empty string stands for none, so that "none" is a value that can be recorded. */
const observed = (keys: readonly TokenField[], live: Token): Partial<TokenSpec> =>
  Object.fromEntries(keys.map((key) => [key, live[key] ?? ""]));

const called = (id: string, { name }: ApiTokenState): string => `API token "${name}" (id ${id})`;

function left(id: string, state: ApiTokenState, can: boolean): string {
  const validity = state.expiresAt ? `stays valid until ${state.expiresAt}` : "has no expiry and stays valid";
  const reason = can ? 'retire is "expire"' : "the documented interface has no way to revoke a token";
  return `${called(id, state)} is no longer managed here, but it ${validity}: ${reason}.`;
}
