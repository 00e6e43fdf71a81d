import { type AnnotationChanges, type AnnotationRecord, type AnnotationSpec, isApiError, orGone } from "../../../sdk";
import { defined } from "../../../sdk/values/defined";
import { compareAccounts, type Sighting, sightingKeys } from "../account";
import { asJson, changedKeys, keysOf, pick } from "../compare";
import { hasUnknown, type Lifecycle } from "../contract";
import { type Answers, answersOf, reconcile, showsSecrets, withAnswers } from "../drift";
import { boolean, nonEmptyTextList, type Rule, scalars } from "../fields";
import { confirmGone, deleteForGood } from "../gone";
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
  /** The inputs that were declared as secrets: nothing of them is recorded in plain text. */
  readonly secretInputs?: readonly string[];
}

/** What is recorded of an annotation. */
export interface AnnotationState extends AnnotationInputs, Sighting, Answers<AnnotationSpec> {
  /** The moment of creation, where no time was declared: `time` is to stay that. */
  readonly timeTaken?: string;
}

/** What each input beside an annotation's own fields must be. */
const rules = { triggers: scalars, retain: boolean, secretInputs: nonEmptyTextList } as const satisfies Record<
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
  diff(id, state, inputs, plan) {
    const place = plan.updating ? compareAccounts(`annotation ${id}`, state, plan.here) : "same";
    const fields = changedKeys(annotationComparisons, state, { ...inputs, time: timeOf(state, inputs) });
    const triggers = changedKeys({ triggers: asJson }, state, inputs);
    const retain = changedKeys({ retain: asJson }, state, inputs);
    const isOther = place === "other";
    const inPlace = plan.can("annotations.update") && !isOther;
    return {
      changes:
        fields.length + triggers.length + retain.length > 0 ||
        place !== "same" ||
        showsSecrets(state, inputs) ||
        hasUnknown(inputs),
      replaces: [...(inPlace ? [] : fields), ...triggers, ...(isOther ? ["account"] : [])],
    };
  },

  async create({ client, account, now }, inputs) {
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
    return { id: made.id, state: recordAnswer(made.id, account.record<AnnotationState>(declared), made) };
  },

  // The documented interface cannot read an annotation: there, this reports what was recorded.
  async read({ client, account }, id, state) {
    if (!client.can("annotations.get")) {
      if (state.baseUrl !== undefined && state.datasets !== undefined) return { state: state as AnnotationState };
      throw new Error(
        `annotation ${id} cannot be looked up: the documented interface has no way to read an annotation. The profile "extended" has one.`,
      );
    }
    const live = await orGone(client.annotations.get(id));
    if (!live) return confirmGone(account, id, state, client.annotations);
    const { drifted, state: found } = reconcile<AnnotationSpec, Partial<AnnotationState>>(
      annotationComparisons,
      id,
      state,
      live,
    );
    const next = account.record(found) as AnnotationState;
    if (drifted.length === 0) return { state: next };
    const { time, ...inputs } = pick(next, inputKeys);
    return { inputs: next.timeTaken === undefined ? { ...inputs, ...defined({ time }) } : inputs, state: next };
  },

  async update({ client, account }, id, state, inputs) {
    const time = timeOf(state, inputs);
    const next: AnnotationState = {
      ...pick(inputs, inputKeys),
      ...defined({ time, timeTaken: inputs.time === undefined ? time : undefined }),
      ...pick(state, sightingKeys),
      ...defined({ account: account.labelFor(state) }),
    };
    const changed = changedKeys(annotationComparisons, state, next);
    const { answered = {}, answeredHashes } = state;
    if (changed.length === 0) return withAnswers(annotationComparisons, id, next, answered, answeredHashes);
    requireRange(next);
    const live = await orGone(client.annotations.update(id, changesOf(changed, next)));
    if (live) return recordAnswer(id, account.record(next), live);
    await account.requireSame(`annotation ${id}`, state);
    throw new Error(`annotation ${id} is gone, so it cannot be changed: run "pulumi refresh", then "pulumi up" again.`);
  },

  async delete({ client, account, warn }, id, state) {
    if (state.retain ?? state.triggers !== undefined) return;
    if (!client.can("annotations.delete")) {
      if (state.retain === false) {
        await warn(`annotation ${id} stays: the documented interface has no way to delete an annotation.`);
      }
      return;
    }
    await deleteForGood(account, id, state, client.annotations, `annotation ${id}`);
  },
};

/** The time that an annotation is to have: the declared one, else the moment of creation, whatever was read since. */
const timeOf = (state: AnnotationState, inputs: AnnotationInputs): string | undefined =>
  inputs.time ?? state.timeTaken ?? state.time;

/** The state after a request, with what the service made of it. What it left out says nothing. */
function recordAnswer(id: string, declared: AnnotationState, answer: AnnotationRecord): AnnotationState {
  const answers = answersOf<AnnotationSpec>(annotationComparisons, declared, answer);
  return withAnswers<AnnotationSpec, AnnotationState>(
    annotationComparisons,
    id,
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
