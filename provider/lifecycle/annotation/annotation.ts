import { type AnnotationChanges, type AnnotationRecord, type AnnotationSpec, isApiError, orGone } from "../../../sdk";
import { defined } from "../../../sdk/values/defined";
import { asJson, changedKeys, keysOf, pick } from "../compare";
import { hasUnknown, type Lifecycle } from "../contract";
import { answersOf, reconcile, withAnswers } from "../drift";
import { boolean, type Rule, scalars } from "../fields";
import { believeOnlyOwnService, confirmGone } from "../gone";
import {
  type AnnotationKey,
  annotationComparisons,
  annotationKeys,
  checkAnnotation,
  describePossibleAnnotation,
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

/** What each input beside an annotation's own fields must be. */
const rules = { triggers: scalars, retain: boolean } as const satisfies Record<
  Exclude<keyof AnnotationInputs, AnnotationKey>,
  Rule
>;

const inputKeys = [...annotationKeys, ...keysOf(rules)] as const;

export const annotation: Lifecycle<AnnotationInputs, AnnotationState> = {
  check: (_olds, news, plan) => ({
    inputs: news as unknown as AnnotationInputs,
    failures: checkAnnotation(news, plan, rules),
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
    const declared = { ...pick(inputs, inputKeys), ...defined({ time: inputs.time ?? timeTaken, timeTaken }) };
    requireRange(declared);
    let made: AnnotationRecord;
    try {
      made = await client.annotations.create(requestOf(declared));
    } catch (e) {
      if (!isApiError(e) || e.outcome !== "unknown") throw e;
      throw new Error(describePossibleAnnotation(e), { cause: e });
    }
    return { id: made.id, state: recordAnswer({ ...declared, baseUrl: client.baseUrl }, made) };
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
    const { drifted, state: found } = reconcile<AnnotationSpec, Partial<AnnotationState>>(
      annotationComparisons,
      state,
      live,
    );
    const next = { ...found, baseUrl: client.baseUrl } as AnnotationState;
    if (drifted.length === 0) return { state: next };
    const { time, ...inputs } = pick(next, inputKeys);
    return { inputs: next.timeTaken === undefined ? { ...inputs, ...defined({ time }) } : inputs, state: next };
  },

  async update({ client }, id, state, inputs) {
    const time = timeOf(state, inputs);
    const next: AnnotationState = {
      ...pick(inputs, inputKeys),
      ...defined({ time, timeTaken: inputs.time === undefined ? time : undefined }),
      ...pick(state, ["baseUrl", "answered"]),
    };
    const changed = changedKeys(annotationComparisons, state, next);
    if (changed.length === 0) return next;
    requireRange(next);
    const live = await orGone(client.annotations.update(id, changesOf(changed, next)));
    if (live) return recordAnswer({ ...next, baseUrl: client.baseUrl }, live);
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

/** The state after a request, with what the service made of it. What it left out says nothing. */
function recordAnswer(declared: AnnotationState, answer: AnnotationRecord): AnnotationState {
  const answers = answersOf<AnnotationSpec>(annotationComparisons, declared, answer);
  return withAnswers(
    declared,
    pick(
      answers,
      keysOf(annotationComparisons).filter((key) => answer[key] !== undefined),
    ),
  );
}

/** The request that changes some fields. A field that is no longer declared is emptied. */
function changesOf(changed: readonly AnnotationKey[], next: AnnotationState): AnnotationChanges {
  const request = requestOf(pick(next, changed));
  const emptied = changed
    .filter((key) => request[key] === undefined)
    .map((key) => [key, key === "endTime" ? null : ""]);
  return { ...request, ...Object.fromEntries(emptied) };
}
