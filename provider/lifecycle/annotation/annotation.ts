import { type AnnotationChanges, type AnnotationRecord, type AnnotationSpec, isApiError, orGone } from "../../../sdk";
import { asJson, changedKeys, pick } from "../compare";
import { hasUnknown, type Lifecycle } from "../contract";
import { boolean, scalars } from "../fields";
import { believeOnlyOwnService, confirmGone } from "../gone";
import {
  type AnnotationKey,
  annotationComparisons,
  annotationKeys,
  answeredOtherwise,
  checkAnnotation,
  mayExist,
  requestOf,
  requireRange,
} from "./fields";

/** What an annotation is declared with. */
export interface AnnotationInputs extends AnnotationSpec {
  readonly datasets: readonly string[];
  /** A change makes another annotation. */
  readonly triggers?: Readonly<Record<string, string | number | boolean>>;
  /** Whether it stays when the resource is destroyed or replaced. */
  readonly retain?: boolean;
}

/** What is recorded of an annotation. */
export interface AnnotationState extends AnnotationInputs {
  /** The service that the annotation lives on; its presence tells a recorded annotation from one that never was. */
  readonly baseUrl?: string;
  /** The moment of creation, where no time was declared: `time` is to stay that. */
  readonly timeTaken?: string;
  /** What the service made of declared values when it answered them differently. */
  readonly answered?: Partial<AnnotationSpec>;
}

const inputKeys = [...annotationKeys, "triggers", "retain"] as const;

export const annotation: Lifecycle<AnnotationInputs, AnnotationState> = {
  check: (_olds, news, plan) => ({
    inputs: news as unknown as AnnotationInputs,
    failures: checkAnnotation(news, plan, { triggers: scalars, retain: boolean }),
  }),

  // Without an update in the profile a change makes another annotation, and the old one stays as history.
  diff(_id, state, inputs, plan) {
    const fields = changedKeys(annotationComparisons, state, { ...inputs, time: timeOf(state, inputs) });
    const triggers = changedKeys({ triggers: asJson }, state, inputs);
    const retain = changedKeys({ retain: asJson }, state, inputs);
    return {
      changes: fields.length + triggers.length + retain.length > 0 || hasUnknown(inputs),
      replaces: plan.can("annotations.update") ? triggers : [...fields, ...triggers],
    };
  },

  async create({ client, now }, inputs) {
    const timeTaken = inputs.time === undefined ? now().toISOString() : undefined;
    const declared = { ...pick(inputs, inputKeys), ...(timeTaken ? { time: timeTaken, timeTaken } : {}) };
    requireRange(declared);
    let made: AnnotationRecord;
    try {
      made = await client.annotations.create(requestOf(declared));
    } catch (e) {
      if (!isApiError(e) || e.outcome !== "unknown") throw e;
      throw new Error(mayExist(e), { cause: e });
    }
    return { id: made.id, state: recorded({ ...declared, baseUrl: client.baseUrl }, made) };
  },

  // The documented interface cannot read an annotation: there, this reports what was recorded.
  async read({ client }, id, state) {
    if (!client.can("annotations.get")) {
      if (state.baseUrl !== undefined && state.datasets !== undefined) return { state: state as AnnotationState };
      throw new Error(
        `annotation ${id} cannot be looked up: the documented interface has no way to read an annotation. The profile "extended" has one.`,
      );
    }
    const live = await orGone(client.annotations.get(id));
    if (!live) return confirmGone(client, id, state, client.annotations);
    const { answered = {}, ...declared } = state;
    const drifted = changedKeys(annotationComparisons, { ...declared, ...answered }, live);
    if (drifted.length === 0) return { state: { ...state, baseUrl: client.baseUrl } as AnnotationState };
    const settled = pick(
      answered,
      annotationKeys.filter((key) => !drifted.includes(key)),
    );
    const next = { ...declared, ...observed(drifted, live), baseUrl: client.baseUrl } as AnnotationState;
    const { time, ...inputs } = pick(next, inputKeys);
    return {
      inputs: next.timeTaken === undefined && time !== undefined ? { ...inputs, time } : inputs,
      state: Object.keys(settled).length > 0 ? { ...next, answered: settled } : next,
    };
  },

  async update({ client }, id, state, inputs) {
    const time = timeOf(state, inputs);
    const next: AnnotationState = {
      ...pick(inputs, inputKeys),
      ...(time === undefined ? {} : { time }),
      ...(time !== undefined && inputs.time === undefined ? { timeTaken: time } : {}),
      ...pick(state, ["baseUrl", "answered"]),
    };
    const changed = changedKeys(annotationComparisons, state, next);
    if (changed.length === 0) return next;
    requireRange(next);
    const live = await orGone(client.annotations.update(id, changesOf(changed, next)));
    if (live) return recorded({ ...next, baseUrl: client.baseUrl }, live);
    believeOnlyOwnService(client, id, state);
    throw new Error(`annotation ${id} is gone, so it cannot be changed: run "pulumi refresh", then "pulumi up" again.`);
  },

  async delete({ client, warn }, id, state) {
    if (state.retain ?? state.triggers !== undefined) return;
    if (!client.can("annotations.delete")) {
      if (state.retain === false) {
        await warn(`annotation ${id} stays: the documented interface has no way to delete an annotation.`);
      }
      return;
    }
    const done = await orGone(client.annotations.delete(id).then(() => true));
    if (!done) believeOnlyOwnService(client, id, state);
  },
};

/** The time that an annotation is to have: the declared one, else the moment of creation, whatever was read since. */
const timeOf = (state: AnnotationState, inputs: AnnotationInputs): string | undefined =>
  inputs.time ?? state.timeTaken ?? state.time;

/** The state after a request, with what the service made of it. */
function recorded({ answered: _, ...declared }: AnnotationState, answer: AnnotationRecord): AnnotationState {
  const answered = answeredOtherwise(declared, answer);
  return Object.keys(answered).length > 0 ? { ...declared, answered } : declared;
}

/** The live values of some keys. An empty one stands for none, so that "none" is a value that can be recorded. */
const observed = (keys: readonly AnnotationKey[], live: AnnotationRecord): Partial<AnnotationSpec> =>
  Object.fromEntries(keys.map((key) => [key, live[key] ?? (key === "datasets" ? [] : "")]));

/** The request that changes some fields. A field that is no longer declared is emptied. */
function changesOf(changed: readonly AnnotationKey[], next: AnnotationState): AnnotationChanges {
  const request = requestOf(pick(next, changed));
  const emptied = changed
    .filter((key) => request[key] === undefined)
    .map((key) => [key, key === "endTime" ? null : ""]);
  return { ...request, ...Object.fromEntries(emptied) };
}
