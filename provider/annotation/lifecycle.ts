import { asJson, changedKeys, keysOf, pick } from "../../framework/compare";
import { secretsOfAll } from "../../framework/identity";
import { UncertainCreate } from "../../framework/lifecycle";
import { boolean, hintRules, type Rule, scalars } from "../../framework/rules";
import { type AnnotationChanges, type AnnotationRecord, type AnnotationSpec, isApiError, orGone } from "../../sdk";
import { defined } from "../../values/defined";
import type { Lifecycle, Planning } from "../account/connection";
import { deleteForGood } from "../account/gone";
import { host } from "../account/hosted";
import { annotationDefinition } from "./definition";
import {
  type AnnotationKey,
  annotationComparisons,
  annotationKeys,
  checkAnnotation,
  describePossibleAnnotation,
  liveAnnotation,
  requestOf,
  requireRange,
} from "./fields";
import type { AnnotationInputs, AnnotationRecorded, AnnotationState } from "./model";

export type { AnnotationInputs, AnnotationState } from "./model";

const rules = { triggers: scalars, retain: boolean, ...hintRules } as const satisfies Record<
  Exclude<keyof AnnotationInputs, AnnotationKey>,
  Rule
>;

const inputKeys = [...annotationKeys, ...keysOf(rules)] as const;

/** The inputs whose change makes another annotation; others change in place. */
const replacedBy = ({ can }: Pick<Planning, "can">): readonly string[] =>
  can("annotations.update") ? ["triggers"] : [...annotationKeys, "triggers"];

const describeAnnotation = (id: string): string => `annotation ${id}`;

const hooks: Lifecycle<AnnotationInputs, AnnotationState> = {
  check: (_olds, news, plan) => ({
    inputs: news as unknown as AnnotationInputs,
    failures: checkAnnotation(news, plan, rules),
  }),

  // Without an update in the profile a change creates another annotation, and the old one stays as history.
  diff(_id, state, inputs, plan) {
    const expected = liveAnnotation.expect(state);
    const fields = changedKeys(annotationComparisons, expected, { ...inputs, time: timeOf(state, inputs) });
    const changed = [...fields, ...changedKeys({ triggers: asJson, retain: asJson }, state, inputs)];
    return { changes: changed.length > 0, replaces: changed.filter((key) => replacedBy(plan).includes(key)) };
  },

  async create({ client, account, now }, inputs) {
    const timeTaken = inputs.time === undefined ? now().toISOString() : undefined;
    const declared = { ...pick(inputs, inputKeys), ...defined({ time: inputs.time ?? timeTaken }) };
    requireRange(declared, inputs);
    const created = await client.annotations.create(requestOf(declared)).catch((e: unknown) => {
      if (!isApiError(e) || e.outcome !== "unknown") throw e;
      throw new UncertainCreate(describePossibleAnnotation(e), { cause: e });
    });
    return {
      id: created.id,
      state: recordResponse(declared, created, { ...account.see(), ...defined({ timeTaken }) }),
    };
  },

  // The documented interface cannot read an annotation: there, this reports what was recorded.
  async read({ client, account }, id, state) {
    if (!client.can("annotations.get")) {
      if (state.record !== undefined && state.datasets !== undefined) return { state: state as AnnotationState };
      throw new Error(
        `annotation ${id} cannot be looked up: the documented interface has no way to read an annotation. The profile "extended" has one.`,
      );
    }
    const live = await orGone(client.annotations.get(id));
    if (!live) return undefined;
    const { drifted, ...observed } = liveAnnotation.reconcile(liveAnnotation.read(state), live);
    const record = { ...state.record, ...account.see(state.record) };
    const next = liveAnnotation.write<AnnotationState>(state, observed, record);
    if (drifted.length === 0) return { state: next };
    const { time, ...inputs } = { ...pick(next, inputKeys), ...liveAnnotation.expect(next) };
    const isTaken = record.timeTaken !== undefined;
    return { inputs: { ...inputs, ...(isTaken ? {} : defined({ time })) } as AnnotationInputs, state: next };
  },

  async update({ client, account }, id, state, inputs) {
    const time = timeOf(state, inputs);
    const declared = { ...pick(inputs, inputKeys), ...defined({ time }) };
    const expected = liveAnnotation.expect(state);
    const changed = changedKeys(annotationComparisons, expected, declared);
    const timeTaken = inputs.time === undefined ? time : undefined;
    if (changed.length === 0) {
      const { declared: given = {} } = state.record;
      // A field for which the service gave another value keeps that value, or stays absent.
      const own = annotationKeys.filter((key) => !Object.hasOwn(given, key));
      const fields = { ...pick(declared, own), ...pick(state, Object.keys(given) as AnnotationKey[]) };
      const record = { ...account.keep(state.record), ...defined({ timeTaken }) };
      return liveAnnotation.write(declared, { fields, declared: given }, record);
    }
    requireRange(declared, secretsOfAll(state, inputs));
    const live = await client.annotations.update(id, changesOf(changed, declared));
    return recordResponse(declared, live, { ...account.see(state.record), ...defined({ timeTaken }) });
  },

  async delete({ client, account, warn }, id, state) {
    if (state.retain ?? state.triggers !== undefined) return;
    if (!client.can("annotations.delete")) {
      if (state.retain === false) {
        await warn(`${describeAnnotation(id)} stays: the documented interface has no way to delete an annotation.`);
      }
      return;
    }
    await deleteForGood(account, id, state.record, client.annotations, describeAnnotation(id));
  },
};

/** The time that an annotation is to have: the declared one, else the moment of creation, whatever was read since. */
const timeOf = (state: AnnotationState, inputs: AnnotationInputs): string | undefined =>
  inputs.time ?? state.record.timeTaken ?? state.time;

/** The state after a request. A field that the response leaves out is as it was sent. */
function recordResponse(
  sent: AnnotationInputs,
  response: AnnotationRecord,
  record: Omit<AnnotationRecorded, "declared">,
): AnnotationState {
  const fields = pick(sent, annotationKeys);
  return liveAnnotation.write(sent, liveAnnotation.observe(fields, { ...fields, ...response }), record);
}

/** The request that changes some fields. A field that is no longer declared is emptied. */
function changesOf(changed: readonly AnnotationKey[], next: AnnotationSpec): AnnotationChanges {
  const request = requestOf(pick(next, changed));
  const emptied = changed
    .filter((key) => request[key] === undefined)
    .map((key) => [key, key === "endTime" ? null : ""]);
  return { ...request, ...Object.fromEntries(emptied) };
}

export const { lifecycle: annotation, hosted: hostedAnnotation } = host(annotationDefinition, hooks, {
  create: "annotations.create",
  objects: { describe: describeAnnotation, list: ({ client }) => client.annotations.list() },
  replacedBy,
});
