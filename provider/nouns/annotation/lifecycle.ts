import { pick } from "../../../framework/compare";
import { host } from "../../../framework/host";
import { secretsOfAll } from "../../../framework/identity";
import { UncertainCreate } from "../../../framework/lifecycle";
import { type AnnotationRecord, type AnnotationSpec, orGone } from "../../../sdk";
import { isOutcomeUnknown } from "../../../sdk/errors";
import { defined } from "../../../values/defined";
import { connect, type Lifecycle, type Session } from "../../shared/account/connection";
import {
  type AnnotationInputs,
  type AnnotationRecorded,
  type AnnotationState,
  annotationDefinition,
  liveAnnotation,
} from "./definition";
import { checkAnnotation, describePossibleAnnotation, requestOf, requireRange } from "./fields";

const describeAnnotation = (id: string): string => `annotation ${id}`;

/** Another account answers the same; annotations hold no secret, so nothing records their account. */
const confirmGone = (session: Session, id: string): Promise<void> =>
  session.annotations.confirmAbsent(session, id, describeAnnotation(id));

export const annotation: Lifecycle<AnnotationInputs, AnnotationState, boolean> = {
  check: (_olds, news, plan) => ({
    inputs: news as unknown as AnnotationInputs,
    failures: checkAnnotation(news, plan),
  }),

  // Without an update in the profile a change creates another annotation, and the old one stays as history.
  diff(id, state, inputs, plan) {
    const declared = { ...inputs, ...defined({ time: timeOf(state, inputs) }) };
    const { changed, replaces } = liveAnnotation.compare(state, declared, plan);
    // No request removes an end (extended interface, "Annotations").
    if (changed.includes("endTime") && inputs.endTime === undefined && plan.can("annotations.update"))
      replaces.push("endTime");
    const isKept = isRetained({ ...pick(state, ["triggers"]), ...inputs });
    return { changes: changed.length > 0, replaces, plans: { [id]: isKept } };
  },

  async create({ client, now }, inputs) {
    const timeTaken = inputs.time === undefined ? now().toISOString() : undefined;
    const declared = { ...inputs, ...defined({ time: inputs.time ?? timeTaken }) };
    requireRange(declared, inputs);
    const created = await client.annotations.create(requestOf(declared)).catch((e: unknown) => {
      if (!isOutcomeUnknown(e)) throw e;
      throw new UncertainCreate(describePossibleAnnotation(e), { cause: e });
    });
    return { id: created.id, state: recordResponse(declared, created, defined({ timeTaken })) };
  },

  // The profile `documented` cannot read an annotation: there, this reports what was recorded.
  async read(session, id, state) {
    const { client } = session;
    if (!client.can("annotations.get")) {
      if (state.record !== undefined) return { state: state as AnnotationState };
      throw new Error(
        `annotation ${id} cannot be looked up: the profile "documented" cannot read an annotation. The profile "extended" can.`,
      );
    }
    const live = await orGone(client.annotations.get(id));
    if (!live) return void (await confirmGone(session, id));
    const computed = state.record?.timeTaken === undefined ? [] : ["time"];
    return liveAnnotation.found<AnnotationInputs, AnnotationState>(state, live, {}, computed);
  },

  async update({ client }, id, state, inputs) {
    const time = timeOf(state, inputs);
    const declared = { ...inputs, ...defined({ time }) };
    const changed = liveAnnotation.changed(state, declared);
    const record = inputs.time === undefined ? defined({ timeTaken: time }) : {};
    const recorded = liveAnnotation.read(state);
    if (changed.length === 0)
      return liveAnnotation.write(declared, liveAnnotation.redeclare(recorded, declared), record);
    requireRange(declared, secretsOfAll(state, inputs));
    const live = await orGone(client.annotations.update(id, changesOf(changed, declared)));
    if (!live)
      throw new Error(`${describeAnnotation(id)} was not found: run "pulumi refresh", then "pulumi up" again.`);
    return recordResponse(declared, live, record);
  },

  async delete(session, id, state, isKept = isRetained(state)) {
    const { client, warn } = session;
    if (isKept) return;
    const stays = `${describeAnnotation(id)} stays: the profile "documented" cannot delete an annotation.`;
    if (!client.can("annotations.delete")) return state.retain === false ? await warn(stays) : undefined;
    const isDeleted = await orGone(client.annotations.delete(id).then(() => true));
    if (!isDeleted) await confirmGone(session, id);
  },
};

const isRetained = ({ retain, triggers }: AnnotationInputs): boolean => retain ?? triggers !== undefined;

/** The time to send: the declared one, otherwise the moment of creation. A time that was read since does not count. */
const timeOf = (state: AnnotationState, inputs: AnnotationInputs): string | undefined =>
  inputs.time ?? state.record.timeTaken ?? state.time;

/** The state after a request. A field that the response leaves out is as it was sent. */
function recordResponse(
  sent: AnnotationInputs,
  response: AnnotationRecord,
  record: Omit<AnnotationRecorded, "declared">,
): AnnotationState {
  const fields = pick(sent, liveAnnotation.keys);
  return liveAnnotation.write(sent, liveAnnotation.observe(fields, { ...fields, ...response }), record);
}

/** The request that changes some fields. A field that is no longer declared is emptied. */
function changesOf(changed: readonly (keyof AnnotationSpec)[], next: AnnotationSpec): AnnotationSpec {
  const request = requestOf(pick(next, changed));
  const emptied = changed.filter((key) => request[key] === undefined).map((key) => [key, ""]);
  return { ...request, ...Object.fromEntries(emptied) };
}

export const hostedAnnotation = host(connect, annotationDefinition, annotation);
