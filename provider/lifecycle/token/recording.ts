import type { Token, TokenSpec } from "../../../sdk";
import { defined } from "../../../sdk/values/defined";
import { canonicalInstant } from "../../../sdk/values/instant";
import { asInstant, isSame, pick } from "../compare";
import type { SecretNames, Session } from "../contract";
import { keyOf } from "../resourceKey";
import { countsFromCreation } from "./expiry";
import { tokenInputKeys } from "./fields";
import type { ApiTokenInputs, ApiTokenState, ReplacedToken } from "./model";
import { hidesEnd } from "./secrecy";

/** The inputs as they are recorded. The secret that came with an adoption is recorded as `token`, and only there. */
export function recordInputs({ adopt, ...inputs }: ApiTokenInputs): ApiTokenInputs {
  const keys = tokenInputKeys.filter((key) => key !== "adopt");
  return { ...pick(inputs, keys), ...(adopt ? { adopt: pick(adopt, ["id", "name"]) } : {}) };
}

type Expiry = Pick<ApiTokenState, "expiresAt" | "resolvedExpiresAt" | "declaredExpiresAt">;

/** What is recorded of an expiry: the one that the service gave, and beside it the declared one where they differ. */
export function recordExpiry(inputs: ApiTokenInputs, given: string | undefined): Expiry {
  const { expiresAt: declared, secretInputs = [] } = inputs;
  if (countsFromCreation(inputs)) return given === undefined ? {} : { expiresAt: given };
  const isKept = isSame(asInstant, declared, given) || secretInputs.includes("expiresAt");
  if (isKept) return declared === undefined ? {} : { expiresAt: declared };
  return { ...(given === undefined ? {} : { expiresAt: given }), declaredExpiresAt: declared ?? "" };
}

/** What a counted expiry came to, of a token that shows another one now: until then its `expiresAt` said so. */
export const movedExpiry = (state: Partial<ApiTokenState>): Expiry =>
  countsFromCreation(state) ? defined({ resolvedExpiresAt: state.resolvedExpiresAt ?? state.expiresAt }) : {};

/** Whether a counted expiry is the one that it came to at the creation. */
export const isAsResolved = ({ expiresAt, resolvedExpiresAt = expiresAt }: Expiry): boolean =>
  isSame(asInstant, expiresAt, resolvedExpiresAt);

/** The expiry that was declared, as far as a state tells. */
export const declaredExpiry = ({ declaredExpiresAt, expiresAt }: Expiry): string | undefined =>
  declaredExpiresAt ?? expiresAt;

/** A state of any version and form as this one records it. */
export const upgradeState = <State extends Partial<ApiTokenState>>(state: State): State =>
  withGivenExpiry(withAdoption(withoutDerived(state)));

/** Earlier states had an adoption in their inputs only, which are gone once `adopt` is removed. */
const withAdoption = <State extends Partial<ApiTokenState>>(state: State): State =>
  state.adopt === undefined ? state : { ...state, adopted: true };

/** One of the plugin for every language holds what the dynamic form derives in the program. */
function withoutDerived<State extends Partial<ApiTokenState>>(state: State): State {
  const { rotatesAt: _, ...rest } = state as State & { readonly rotatesAt?: string };
  if (state.token === undefined) return rest as unknown as State;
  const { fingerprint: __, ...recorded } = rest as Partial<ApiTokenState>;
  return recorded as State;
}

/** Earlier states had what the service gave in `answered` only. */
function withGivenExpiry<State extends Partial<ApiTokenState>>(state: State): State {
  const { answered, expiresAt, ...rest } = state;
  const given = answered?.expiresAt;
  if (given === undefined || state.declaredExpiresAt !== undefined) return state;
  if (!countsFromCreation(state)) {
    return { ...rest, answered, ...(given ? { expiresAt: given } : {}), declaredExpiresAt: expiresAt ?? "" } as State;
  }
  const { resolvedExpiresAt: _, ...counted } = rest;
  const { expiresAt: __, ...others } = answered ?? {};
  return {
    ...counted,
    ...(Object.keys(others).length > 0 ? { answered: others } : {}),
    ...(given ? { expiresAt: given } : {}),
  } as unknown as State;
}

const replacedFields = ["expiresAt", "orgCapabilities", "datasetCapabilities", "viewCapabilities"] as const;

/**
 * The tokens that a new one takes the place of: the one that the same resource had, and those that it had replaced. To be called
 * once the new one is there: until then its resource manages the old one.
 */
export function recordReplaced(
  { ledger, adoptions }: Session,
  inputs: ApiTokenInputs,
  now: Date,
): Pick<ApiTokenState, "replaced"> {
  const key = keyOf(inputs);
  for (const left of ledger.noteSuccessor(key)) adoptions.forget(left, String(key));
  const predecessor = ledger.findPredecessor<ApiTokenState>(key);
  if (!predecessor) return {};
  const { id, state } = predecessor;
  const shown = replacedFields.filter((key) => !state.secretInputs?.includes(key));
  const own = { id, ...pick(upgradeState(state), [...shown, "lost"]) };
  // What nothing proves to be this resource's own must stay what it is: a token that nobody declares.
  const proven = state.provenBy === undefined ? [own] : [];
  // An earlier version did not name the length among the secrets, so what is declared now speaks for the state, too.
  return keepReplaced([...proven, ...(state.replaced ?? [])], now, state, inputs);
}

/**
 * The replaced tokens whose end has not passed. The ends themselves stay only if no owner hides its own: they came of the same
 * secret length. Without them an audit calls such a token uncompared, and its id is kept as long as its successor.
 * @param owners what is recorded, or declared, of the token that replaced them
 */
export function keepReplaced(
  replaced: readonly ReplacedToken[] = [],
  now: Date,
  ...owners: readonly SecretNames[]
): Pick<ApiTokenState, "replaced"> {
  const valid = replaced.filter(({ expiresAt }) => {
    const end = expiresAt === undefined ? undefined : canonicalInstant(expiresAt);
    return end === undefined || Date.parse(end) > now.getTime();
  });
  if (valid.length === 0) return {};
  return { replaced: owners.some(hidesEnd) ? valid.map(({ expiresAt: _, ...others }) => others) : valid };
}

/** The expiry that an answer gives; where it cannot be read, the one that was asked for. */
export const givenExpiry = (answer: Token, requested: string | undefined): string | undefined =>
  "expiresAt" in oddFieldsOf(answer) ? requested : answer.expiresAt;

/** The fields of an answer that could not be read. */
export const oddFieldsOf = (answer: TokenSpec & { readonly odd?: Readonly<Record<string, string>> }) =>
  answer.odd ?? {};
