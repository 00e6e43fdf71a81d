import { asInstant, isSame, pick } from "../../framework/compare";
import type { Observed } from "../../framework/drift";
import type { TokenSpec } from "../../sdk";
import { defined } from "../../values/defined";
import { canonicalInstant } from "../../values/instant";
import type { Sighting } from "../account/account";
import { countsFromCreation } from "./expiry";
import { comparedFields, liveToken, tokenInputKeys } from "./fields";
import type { ApiTokenInputs, ApiTokenState, Origin, Predecessor, TokenRecord } from "./model";

/** A token in a response, with the fields that could not be read. */
type Shown = TokenSpec & { readonly odd?: Readonly<Record<string, string>> };

/** The inputs to record. The secret of an adoption is recorded only as `token`. */
export function recordInputs({ adopt, ...inputs }: ApiTokenInputs): ApiTokenInputs {
  const keys = tokenInputKeys.filter((key) => key !== "adopt");
  return { ...pick(inputs, keys), ...(adopt ? { adopt: pick(adopt, ["id", "name"]) } : {}) };
}

/** A record with these predecessors in place of its own. */
export function withPredecessors(
  { predecessors: _, ...record }: TokenRecord,
  predecessors: readonly Predecessor[],
): TokenRecord {
  return { ...record, ...(predecessors.length > 0 ? { predecessors } : {}) };
}

/** The members of a new token's record. */
export interface NewRecord {
  readonly sighting: Sighting;
  readonly origin: Origin;
  readonly predecessors?: readonly Predecessor[];
  /** By this side's clock; absent for an adopted token. */
  readonly createdAt?: string;
}

/**
 * The state of a new token.
 * @param requested the expiry that was sent
 * @param shown the response; a lost token that nobody has seen is as it was requested
 */
export function newState(
  inputs: ApiTokenInputs,
  requested: string | undefined,
  shown: Shown | undefined,
  { sighting, origin, predecessors = [], createdAt }: NewRecord,
): { readonly state: ApiTokenState; readonly changed: readonly string[] } {
  const sent = pick({ ...inputs, ...defined({ expiresAt: inputs.expiresAt ?? requested }) }, comparedFields);
  const { fields, declared } = shown ? liveToken.observe(sent, shown) : { fields: sent, declared: {} };
  const { expiresAt: _, ...others } = declared;
  const kept = countsFromCreation(inputs) ? others : declared;
  const record = withPredecessors({ ...sighting, origin }, predecessors);
  return {
    state: liveToken.write({ ...recordInputs(inputs), ...defined({ createdAt }) }, { fields, declared: kept }, record),
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
  const wasCounted = countsFromCreation(state);
  const { expiresAt } = inputs;
  const isAsDeclared = isSame(asInstant, expiresAt, fields.expiresAt);
  const kept = pick(
    inputs,
    comparedFields.filter((key) => key !== "expiresAt" && declared[key] === undefined),
  );
  const next = { ...fields, ...kept, ...(isAsDeclared && !isCounted ? defined({ expiresAt }) : {}) };
  if (before === undefined) return { fields: next, declared: others };
  if (isCounted) return { fields: next, declared: wasCounted ? declared : others };
  const isGiven = !wasCounted && !isAsDeclared;
  return { fields: next, declared: isGiven ? { ...others, expiresAt: expiresAt ?? "" } : others };
}

/** The predecessors whose expiry has not passed. One whose expiry is hidden is kept as long as its successor. */
export const keepValid = (predecessors: readonly Predecessor[] = [], now: Date): readonly Predecessor[] =>
  predecessors.filter(({ expiresAt }) => {
    const end = expiresAt === undefined ? undefined : canonicalInstant(expiresAt);
    return end === undefined || Date.parse(end) > now.getTime();
  });
