import { pick } from "../../framework/compare";
import { isSecretInput } from "../../framework/identity";
import type { Update } from "../../framework/update";
import type { EventDatasets } from "../../sdk";
import { defined } from "../../values/defined";
import { hidesRotation } from "./expiry";
import type { ApiTokenInputs, ApiTokenState, Fate, Predecessor } from "./model";
import type { Overlap } from "./overlap";
import { keepValid } from "./state";

type Able = Pick<EventDatasets, "can">;

/**
 * Decides the fate of a token that is replaced: by the program as it is now, whatever was recorded.
 * @param retire as the program declares it for the successor
 */
export const decideFate = (retire: ApiTokenInputs["retire"], able: Able): Fate =>
  retire === "expire" || !able.can("tokens.delete") ? "expire" : "revoke";

/** The fields of a predecessor that its successor records: its rights and its expiry. */
const recordedFields = ["expiresAt", "orgCapabilities", "datasetCapabilities", "viewCapabilities"] as const;

/** A predecessor as its successor records it, without secrets. */
const describePredecessor = (id: string, state: ApiTokenState, fate: Fate, overlap: Overlap | undefined): Predecessor =>
  hideSecrets(
    {
      id,
      fate,
      origin: state.record.origin,
      ...pick(state, recordedFields),
      ...defined({ expiresAt: overlap?.until ?? state.expiresAt }),
    },
    state,
  );

/** A predecessor without the fields that these values declare as secrets. Call it for the successor's values too. */
export function hideSecrets(predecessor: Predecessor, values: Pick<ApiTokenInputs, "secretInputs">): Predecessor {
  const isHidden = (field: (typeof recordedFields)[number]) =>
    isSecretInput(values, field) || (field === "expiresAt" && hidesRotation(values));
  const found = recordedFields.filter((field) => predecessor[field] !== undefined && isHidden(field));
  if (found.length === 0) return predecessor;
  const { id, fate, origin, hidden = [] } = predecessor;
  const shown = recordedFields.filter((field) => !isHidden(field));
  return { id, fate, origin, ...pick(predecessor, shown), hidden: [...hidden, ...found] };
}

/** The tokens that a new one replaces. Call it once the new one exists: until then its resource manages the old one. */
export function recordPredecessors(
  update: Update,
  inputs: ApiTokenInputs,
  now: Date,
  able: Able,
  overlap?: Overlap,
): readonly Predecessor[] {
  const predecessor = update.findPredecessor<ApiTokenState>(inputs.key);
  if (!predecessor) return [];
  const { id, state } = predecessor;
  const { origin, predecessors = [] } = state.record;
  const fate = overlap === undefined ? decideFate(inputs.retire, able) : "expire";
  update.decide(id, fate);
  // Nothing proves that an alleged token is this resource's own.
  const own = origin === "alleged" ? [] : [describePredecessor(id, state, fate, overlap)];
  const all = [...own, ...predecessors].map((one) => hideSecrets(one, inputs));
  return keepValid(all, now);
}

/** Resumes the decisions of an earlier update about predecessors. The program's present `retire` counts. */
export function resumePredecessors(update: Update, state: ApiTokenState, inputs: ApiTokenInputs, able: Able): void {
  for (const { id, fate } of state.record.predecessors ?? []) {
    // A token in its overlap stays valid until the end that its successor's create gave it.
    const isKept = inputs.retire === undefined || (fate === "expire" && inputs.rotation?.overlap !== undefined);
    update.decide(id, isKept ? fate : decideFate(inputs.retire, able));
  }
}
