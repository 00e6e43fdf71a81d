import { isApiError, type MintedToken, orGone, type Token, type TokenSpec } from "../../sdk";
import { asCapabilities, asInstant, asText, changedKeys, pick } from "./compare";
import { checkFields, instant, nonEmptyText, object, text, textLists } from "./fields";
import { believeOnlyOwnService, confirmGone } from "./gone";
import { canonicalInstant } from "./instant";
import { type Checked, hasUnknown, type Lifecycle, type Unchecked } from "./lifecycle";
import { lostToken } from "./lostToken";
import { resolveName } from "./names";

/** What a token is declared with; `name` is always there after `check`. */
export interface ApiTokenInputs extends TokenSpec {
  /** The logical name that `name` was made from; absent for a name that the user chose. */
  readonly autoName?: string;
}

/** What is recorded of a token. */
export interface ApiTokenState extends ApiTokenInputs {
  /** The secret. Only the creation answers it, so it is carried along from there on. */
  readonly token?: string;
  /** The service that the token lives on: under another address, "not found" would say nothing about it. */
  readonly baseUrl?: string;
  /** The token exists, but its secret never arrived: it is of no use and is replaced. */
  readonly lost?: true;
  /** What the service made of declared values when it answered them differently, or chose where none was declared. */
  readonly answered?: Partial<TokenSpec>;
}

/** How each field of a token is compared; the audit uses the same. */
export const tokenComparisons = {
  name: asText,
  description: asText,
  expiresAt: asInstant,
  datasetCapabilities: asCapabilities,
  orgCapabilities: asCapabilities,
} as const;

type SpecKey = keyof typeof tokenComparisons;
const specKeys = Object.keys(tokenComparisons) as SpecKey[];
const inputKeys = [...specKeys, "autoName"] as const;

const rules = {
  name: nonEmptyText,
  description: text,
  expiresAt: instant,
  datasetCapabilities: object,
  orgCapabilities: textLists,
  autoName: nonEmptyText,
};

export const apiToken: Lifecycle<ApiTokenInputs, ApiTokenState> = {
  check(olds, news): Checked<ApiTokenInputs> {
    const { name, autoName, ...rest } = news;
    const inputs: Unchecked = { ...rest, ...resolveName(olds, { name, autoName }) };
    const failures = checkFields(rules, inputs);
    if (inputs.name === undefined) failures.push({ property: "name", reason: "is missing" });
    return { inputs: inputs as unknown as ApiTokenInputs, failures };
  },

  // The service has no update, so every change mints a new token: the keys name what forces it.
  diff(state, inputs) {
    const replaces = state.lost ? ["token"] : changedKeys(tokenComparisons, state, inputs);
    return { changes: replaces.length > 0 || hasUnknown(inputs), replaces };
  },

  async create(session, inputs) {
    let minted: MintedToken;
    try {
      minted = await session.client.tokens.create(specOf(inputs));
    } catch (e) {
      if (isApiError(e) && e.outcome === "unknown") throw await lostToken(session, inputs, e);
      throw e;
    }
    const answered = observed(changedKeys(tokenComparisons, inputs, minted), minted);
    const changed = Object.keys(answered);
    if (changed.length > 0) {
      await session.warn(
        `API token "${inputs.name}" (id ${minted.id}): the service answered other values than declared for ${changed.join(", ")}; check that they are what you want.`,
      );
    }
    const state = { ...pick(inputs, inputKeys), baseUrl: session.client.baseUrl, token: minted.token };
    return { id: minted.id, state: changed.length > 0 ? { ...state, answered } : state };
  },

  async read({ client }, id, state) {
    const live = await orGone(client.tokens.get(id));
    if (!live) return confirmGone(client, id, state, client.tokens);
    const { answered = {}, ...recorded } = state;
    const drifted = changedKeys(tokenComparisons, { ...recorded, ...answered }, live);
    const settled = pick(
      answered,
      specKeys.filter((key) => !drifted.includes(key)),
    );
    const next: ApiTokenState = {
      ...recorded,
      ...(Object.keys(settled).length > 0 ? { answered: settled } : {}),
      name: live.name,
      ...observed(drifted, live),
      baseUrl: client.baseUrl,
    };
    return { inputs: pick(next, inputKeys), state: next };
  },

  // Nothing that the service knows can change in place; the secret and what is recorded beside it stay.
  async update(_session, _id, state, inputs) {
    return { ...pick(state, ["token", "baseUrl", "lost", "answered"]), ...pick(inputs, inputKeys) };
  },

  async delete({ client, warn }, id, state) {
    if (!client.can("tokens.delete")) return warn(forgotten(id, state));
    const done = await orGone(client.tokens.delete(id).then(() => true));
    if (!done) believeOnlyOwnService(client, id, state);
  },
};

/** The request: instants in UTC with "Z", as documented (2.1). */
function specOf(inputs: ApiTokenInputs): TokenSpec {
  const expiresAt = inputs.expiresAt && canonicalInstant(inputs.expiresAt);
  return { ...pick(inputs, specKeys), ...(expiresAt ? { expiresAt } : {}) };
}

/** The live values of some keys. The empty string stands for none, so that "none" is a value that can be recorded. */
const observed = (keys: readonly SpecKey[], live: Token): Partial<TokenSpec> =>
  Object.fromEntries(keys.map((key) => [key, live[key] ?? ""]));

const forgotten = (id: string, { name, expiresAt }: ApiTokenState): string =>
  `API token "${name}" (id ${id}) is no longer managed here, but it ${
    expiresAt ? `stays valid until ${expiresAt}` : "has no expiry and stays valid"
  }: the documented interface has no way to revoke a token.`;
