import { asInstant, isSame, keysOf, pick } from "../../framework/compare";
import type { Observed } from "../../framework/drift";
import type { Token, TokenSpec } from "../../sdk";
import { defined } from "../../values/defined";
import { asDuration, countsFromCreation, type ExpiryInputs, hidesEnd, lifetimeOf, requestedExpiry } from "./expiry";
import { comparedFields, liveToken, type TokenField, tokenComparisons, tokenInputKeys } from "./fields";
import type { ApiTokenInputs, ApiTokenState, Predecessor, TokenRecord } from "./model";
import { computeEnd } from "./rotation";

/** The inputs to record. The secret of an adoption is recorded only as `token`. */
export function recordInputs({ adopt, ...inputs }: ApiTokenInputs): ApiTokenInputs {
  const keys = tokenInputKeys.filter((key) => key !== "adopt");
  return { ...pick(inputs, keys), ...(adopt ? { adopt: pick(adopt, ["id", "name"]) } : {}) };
}

/** A record with those of these predecessors whose expiry has not passed; one whose expiry is hidden is kept. */
export function withPredecessors(
  { predecessors: _, ...record }: TokenRecord,
  predecessors: readonly Predecessor[] | undefined,
  now: Date,
): TokenRecord {
  const valid = predecessors?.filter((one) => (computeEnd(one, undefined) ?? now) >= now) ?? [];
  return { ...record, ...(valid.length > 0 ? { predecessors: valid } : {}) };
}

/**
 * The state of a new token.
 * @param requested the expiry that was sent
 * @param shown the response; a lost token that nobody has seen is as it was requested
 */
export function newState(
  inputs: ApiTokenInputs,
  requested: string | undefined,
  shown: Token | undefined,
  now: Date,
  record: TokenRecord,
): { readonly state: ApiTokenState; readonly changed: readonly string[] } {
  const expiresAt = (countsFromCreation(inputs) ? undefined : inputs.expiresAt) ?? requested;
  const sent = pick({ ...inputs, ...defined({ expiresAt }) }, comparedFields);
  const observed = shown ? liveToken.observe(sent, shown) : { fields: sent, declared: {} };
  const createdAt = record.origin === "created" ? now.toISOString() : undefined;
  return {
    state: liveToken.write(
      { ...recordInputs(inputs), ...defined({ createdAt }) },
      observed,
      withPredecessors(record, record.predecessors, now),
    ),
    changed: Object.keys(observed.declared),
  };
}

/** The fields of a token, and the expiry that it had before a refresh found it moved. */
type Remembered = Observed<TokenSpec> & Pick<TokenRecord, "priorExpiresAt">;

/**
 * Whether an expiry that is counted from the creation is still the one that the service gave then, or was asked for. A record of
 * another one names both; one that moved while it was declared is the one that counts.
 */
export const isAsCounted = ({ record }: Partial<ApiTokenState>): boolean =>
  record?.priorExpiresAt === undefined || record.declared?.expiresAt === undefined;

/** Whether a token was requested with the expiry that these inputs count. Of an adopted one only the declared lengths are known. */
export function isRequestedLength(state: ApiTokenState, inputs: ExpiryInputs): boolean {
  const created = Date.parse(state.createdAt ?? "");
  return Number.isNaN(created)
    ? isSame(asDuration, lifetimeOf(state), lifetimeOf(inputs))
    : isSame(asInstant, liveToken.expect(state).expiresAt, requestedExpiry(inputs, new Date(created)));
}

/** Remembers the expiry that the service gave, once a refresh has found another one, until that or the requested one is live. */
export function rememberExpiry(state: ApiTokenState, live: Observed<TokenSpec>): Remembered {
  const { priorExpiresAt = state.expiresAt ?? "" } = state.record;
  const requested = liveToken.expect(state).expiresAt;
  const isLive = (expiry: string | undefined) => isSame(asInstant, expiry, live.fields.expiresAt);
  const isKept = countsFromCreation(state) && !isLive(requested);
  return {
    fields: live.fields,
    declared: { ...live.declared, ...(isKept ? { expiresAt: requested ?? "" } : {}) },
    ...(isLive(requested) || isLive(priorExpiresAt) ? {} : { priorExpiresAt }),
  };
}

/** The fields after an update in place, which changes the meaning of none. Nothing that was secret is told by a plain program. */
export function redeclare(state: ApiTokenState, inputs: ApiTokenInputs): Remembered {
  const { fields, declared } = liveToken.read(state);
  const { expiresAt: before, ...others } = declared;
  const [isCounted, wasCounted] = [countsFromCreation(inputs), countsFromCreation(state)];
  const isRevealed = hidesEnd(state) && !hidesEnd(inputs);
  const isLive = (key: TokenField) => isSame(tokenComparisons[key], inputs[key], fields[key]);
  const isAsDeclared = (key: TokenField) =>
    key === "expiresAt" ? !isCounted && isLive(key) : declared[key] === undefined || isLive(key);
  const respelled = comparedFields.filter(isAsDeclared);
  const differing = pick(
    others,
    keysOf(others as Required<typeof others>).filter((key) => !respelled.includes(key)),
  );
  const mayKeep = isCounted ? !isRevealed || isRequestedLength(state, inputs) : !wasCounted;
  const isKept = before !== undefined && !isAsDeclared("expiresAt") && mayKeep;
  const expiresAt = isCounted ? before : (inputs.expiresAt ?? "");
  const { priorExpiresAt } = isRevealed ? {} : state.record;
  return {
    fields: { ...fields, ...pick(inputs, respelled) },
    declared: isKept ? { ...differing, ...defined({ expiresAt }) } : differing,
    ...defined({ priorExpiresAt }),
  };
}
