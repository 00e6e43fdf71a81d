import { pick } from "../../framework/compare";
import { isSecretInput } from "../../framework/identity";
import type { Update } from "../../framework/update";
import type { EventDatasets } from "../../sdk";
import { parseDuration, shift } from "../../values/duration";
import type { Session } from "../account/connection";
import { hidesEnd, hidesRotation, secretExpiry, toTheSecond } from "./expiry";
import type { ApiTokenInputs, ApiTokenState, Origin, Predecessor } from "./model";
import { isRenamed } from "./names";
import { computeEnd } from "./rotation";

type Able = Pick<EventDatasets, "can">;

/** The expiry that `rotation.overlap` gives a token when its successor is created. */
export interface Overlap {
  readonly until: string;
  /** Whether `until` derives from a secret input. */
  readonly isSecret: boolean;
}

/**
 * How a token is retired that its resource gives up. For people: `until` is the expiry that an overlap gave it, `doubt` the
 * evidence where no record proves the overlap.
 */
export type Retirement =
  | { readonly fate: "revoke" | "expire" }
  | { readonly fate: "overlap"; readonly until: string; readonly doubt?: string };

/** The fate that a program declares: the present one counts, whatever was recorded. */
export const decideFate = (retire: ApiTokenInputs["retire"], able: Able): "revoke" | "expire" =>
  retire === "expire" || !able.can("tokens.delete") ? "expire" : "revoke";

/** The part of a program that decides about the tokens that were replaced. */
type Word = Pick<ApiTokenInputs, "retire" | "rotation">;

/** Whether a program ends an overlap that began earlier. Otherwise a token stays valid until the end that it was given. */
export const endsOverlaps = ({ retire, rotation }: Word): boolean =>
  retire === "revoke" && rotation?.overlap === undefined;

/**
 * The overlap of a token that is replaced; undefined: none is declared, or it is of no use.
 * @param inputs of its successor
 * @param now by the service's clock, if it is known
 */
export function findOverlap(inputs: ApiTokenInputs, state: ApiTokenState, now: Date, able: Able): Overlap | undefined {
  const { overlap } = inputs.rotation ?? {};
  const duration = typeof overlap === "string" ? parseDuration(overlap) : undefined;
  const isUsable = state.record.origin === "created" || state.record.origin === "adopted";
  const own = computeEnd(state, undefined);
  if (!duration || !isUsable || !able.can("tokens.regenerate") || (own && own <= now)) return undefined;
  const end = shift(now, duration, 1);
  return {
    until: toTheSecond(own && own <= end ? own : end),
    isSecret: hidesEnd(state) || hidesRotation(inputs),
  };
}

/**
 * Whether another resource of this update has, or is to adopt, a token that a resource gives up: neither its expiry nor anything
 * else of it may change then.
 * @throws Error if the notes of other processes cannot be read
 */
export const isTaken = (update: Update, id: string, key: string): boolean =>
  update.findKept(id)?.key !== key && (update.isHeld(id) || update.notes.has(id));

/** The overlap of the token that a create replaces. */
export interface OwnOverlap extends Overlap {
  readonly id: string;
}

/** Undefined: there is none, or another resource has the token by now. */
export function findOwnOverlap(update: Update, inputs: ApiTokenInputs, now: Date, able: Able): OwnOverlap | undefined {
  const old = update.findCurrent<ApiTokenState>(inputs.key);
  if (old === undefined || isTaken(update, old.id, inputs.key)) return undefined;
  const overlap = findOverlap(inputs, old.state, now, able);
  return overlap && { id: old.id, ...overlap };
}

/** The fields of a predecessor that its successor records: its rights and its expiry. */
const recordedFields = ["expiresAt", "orgCapabilities", "datasetCapabilities", "viewCapabilities"] as const;

/** A predecessor without the fields that these values declare as secrets. Call it for the successor's values too. */
export function hideSecrets(predecessor: Predecessor, values: Pick<ApiTokenInputs, "secretInputs">): Predecessor {
  const isHidden = (field: (typeof recordedFields)[number]) =>
    isSecretInput(values, field) || (field === "expiresAt" && hidesRotation(values));
  const found = recordedFields.filter((field) => predecessor[field] !== undefined && isHidden(field));
  if (found.length === 0) return predecessor;
  const shown = pick(predecessor, ["id", "fate", "origin", "key", "elsewhere"]);
  const fields = recordedFields.filter((field) => !isHidden(field));
  return { ...shown, ...pick(predecessor, fields), hidden: [...(predecessor.hidden ?? []), ...found] };
}

/**
 * Predecessors that one state lists, for the next state of the resource.
 * @param isElsewhere whether the token of that state may belong to another account than the token of the next one
 */
export function carryPredecessors(
  predecessors: readonly Predecessor[],
  state: ApiTokenState,
  inputs: ApiTokenInputs,
  isElsewhere = false,
): readonly Predecessor[] {
  const apart = {
    ...(isRenamed(state, inputs) && { key: state.key }),
    ...(isElsewhere && { elsewhere: true as const }),
  };
  return predecessors.map((one) => hideSecrets({ ...apart, ...one }, inputs));
}

/**
 * The tokens that a new one replaces. Call it once the new one exists: until then its resource manages the old one.
 * @param gone ids of tokens that are gone
 */
export function listPredecessors(
  { update, client, account }: Pick<Session, "update" | "account"> & { readonly client: Able },
  inputs: ApiTokenInputs,
  gone: ReadonlySet<string>,
  overlap?: Overlap,
): readonly Predecessor[] {
  const predecessor = update.findPredecessor<ApiTokenState>(inputs.key);
  if (!predecessor) return [];
  const { id, state } = predecessor;
  const { origin, predecessors = [] } = state.record;
  const fate = overlap === undefined ? decideFate(inputs.retire, client) : "overlap";
  const fields = { ...pick(state, recordedFields), ...(overlap && { expiresAt: overlap.until }) };
  // Nothing proves that an alleged token is this resource's own.
  const own = origin === "alleged" ? [] : [hideSecrets({ id, fate, origin, ...fields }, state)];
  const earlier = predecessors.filter((one) => !gone.has(one.id));
  return carryPredecessors([...own, ...earlier], state, inputs, !account.isSame(state.record));
}

/**
 * The predecessors of a token about to be replaced that are gone for certain. One that is left to a known expiry is not asked
 * about: it leaves the record at that time. Never throws.
 */
export async function findGonePredecessors(session: Session, key: string): Promise<ReadonlySet<string>> {
  const { record } = session.update.findCurrent<ApiTokenState>(key)?.state ?? {};
  if (record === undefined || !session.account.isSame(record)) return new Set();
  const isAsked = ({ fate, expiresAt, elsewhere }: Predecessor) =>
    elsewhere === undefined && (fate === "revoke" || expiresAt === undefined);
  const ids = record.predecessors?.filter(isAsked).map(({ id }) => id);
  return session.lists.findGone(session, ids ?? []);
}

/** Several resources can have a record of one token, by adoption: each decides about its own, and the one that created it. */
const deciderOf = (origin: Origin, key: string): string => (origin === "adopted" ? key : "");

/** The fate of a token according to its successor's record. */
export const findFate = (update: Update, id: string, { record, key }: ApiTokenState): Retirement | undefined =>
  update.fateOf<Retirement>(id, deciderOf(record.origin, key));

/**
 * Notes what becomes of the predecessors of a token, so that their deletions know it.
 * @param inputs of the present program; for a token that left it, those of the last one
 */
export function notePredecessors(update: Update, { record, key }: ApiTokenState, inputs: Word, able: Able): void {
  // A token that must be revoked and cannot be is judged by its own deletion, which fails.
  if (inputs.retire === "revoke" && !able.can("tokens.delete")) return;
  for (const { id, origin, fate: recorded, expiresAt, key: ownKey = key } of record.predecessors ?? []) {
    const isKept = inputs.retire === undefined || (recorded === "overlap" && !endsOverlaps(inputs));
    const fate = isKept ? recorded : decideFate(inputs.retire, able);
    const retirement: Retirement = fate === "overlap" ? { fate, until: expiresAt ?? secretExpiry } : { fate };
    const decider = deciderOf(origin, ownKey);
    if (update.fateOf(id, decider) === undefined) update.decide(id, retirement, decider);
  }
}
