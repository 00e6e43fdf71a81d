import { asInstant, isSame, keysOf, pick } from "../../framework/compare";
import type { Observed } from "../../framework/drift";
import type { Token, TokenSpec } from "../../sdk";
import { defined } from "../../values/defined";
import { countsFromCreation } from "./expiry";
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
  const { fields, declared } = shown ? liveToken.observe(sent, shown) : { fields: sent, declared: {} };
  const { expiresAt: _, ...others } = declared;
  const kept = countsFromCreation(inputs) ? others : declared;
  const createdAt = record.origin === "created" ? now.toISOString() : undefined;
  return {
    state: liveToken.write(
      { ...recordInputs(inputs), ...defined({ createdAt }) },
      { fields, declared: kept },
      withPredecessors(record, record.predecessors, now),
    ),
    changed: Object.keys(declared),
  };
}

/** Whether an expiry is still the one that was counted from the creation. */
export const isAsCounted = ({ expiresAt, record }: Partial<ApiTokenState>): boolean =>
  isSame(asInstant, expiresAt, record?.declared?.expiresAt ?? expiresAt);

/** Keeps the expiry that was counted from the creation, after a refresh found another one, until it is live again. */
export function rememberCounted(state: Partial<ApiTokenState>, live: Observed<TokenSpec>): Observed<TokenSpec> {
  if (!countsFromCreation(state) || state.record === undefined) return live;
  const counted = state.record.declared?.expiresAt ?? state.expiresAt ?? "";
  const { expiresAt: _, ...declared } = live.declared;
  const isLive = isSame(asInstant, counted, live.fields.expiresAt);
  return { ...live, declared: isLive ? declared : { ...declared, expiresAt: counted } };
}

/** The fields after an update in place, which changes the meaning of none. */
export function redeclare(state: ApiTokenState, inputs: ApiTokenInputs): Observed<TokenSpec> {
  const { fields, declared } = liveToken.read(state);
  const { expiresAt: before, ...others } = declared;
  const isCounted = countsFromCreation(inputs);
  const isLive = (key: TokenField) => isSame(tokenComparisons[key], inputs[key], fields[key]);
  const isAsDeclared = (key: TokenField) =>
    key === "expiresAt" ? !isCounted && isLive(key) : declared[key] === undefined || isLive(key);
  const respelled = comparedFields.filter(isAsDeclared);
  const differing = pick(
    others,
    keysOf(others as Required<typeof others>).filter((key) => !respelled.includes(key)),
  );
  const isKept = before !== undefined && !isAsDeclared("expiresAt") && isCounted === countsFromCreation(state);
  const expiresAt = isCounted ? before : (inputs.expiresAt ?? "");
  return {
    fields: { ...fields, ...pick(inputs, respelled) },
    declared: isKept ? { ...differing, ...defined({ expiresAt }) } : differing,
  };
}
