import { pick } from "../../../framework/compare";
import type { Observed } from "../../../framework/drift";
import { host } from "../../../framework/host";
import { UncertainCreate } from "../../../framework/lifecycle";
import { isRenamed } from "../../../framework/naming";
import { type DatasetChanges, type DatasetRecord, isStatus, orGone } from "../../../sdk";
import { isOutcomeUnknown } from "../../../sdk/errors";
import type { DatasetFields } from "../../../sdk/resources/datasetFields";
import { defined } from "../../../values/defined";
import { connect, type Lifecycle, type Session } from "../../shared/account/connection";
import { findDoubt } from "../../shared/account/presence";
import { planBorrowed, requireAdoptable } from "../../shared/adoption";
import { type DatasetInputs, type DatasetState, datasetDefinition, liveDataset } from "./definition";
import { describeEnd, endDataset, requireOtherName, requireRetention, type Word, waysOut } from "./events";
import { describeDataset, describeOther, findCreated, requireSame } from "./identity";
import { checkDataset } from "./inputs";

export const dataset: Lifecycle<DatasetInputs, DatasetState, Word> = {
  check: checkDataset,

  diff(id, state, inputs, plan) {
    const { fields, changed, replaces } = liveDataset.compare(state, inputs, plan);
    // With another name, adopt replaces: it takes over the dataset that a lost create left.
    if (inputs.adopt && !fields.includes("name")) {
      const changes = changed.length > fields.length || isRenamed(state, inputs);
      const borrowed = { isOther: false, changes, differing: fields.join(", ") };
      const plans = { [id]: pick(inputs, ["adopt", "deleteEvents"]) };
      return { ...planBorrowed("dataset", id, describeDataset(id), borrowed), plans };
    }
    const known = replaces.filter((key) => changed.includes(key));
    requireOtherName(id, state, inputs, known);
    if (replaces.length === 0 && fields.includes("retentionDays")) requireRetention(id, state, state, inputs);
    const word = pick(inputs, ["deleteEvents"]);
    const notice = `${describeDataset(id)} will be replaced (${replaces.join(", ")}). The old one ${describeEnd(state, word)}.`;
    return {
      changes: changed.length > 0 || isRenamed(state, inputs),
      replaces,
      notice: replaces.length > 0 ? notice : undefined,
      plans: { [id]: word },
    };
  },

  async verify(session, _inputs, compared) {
    if (!compared) return [];
    const { id, state, change } = compared;
    const live = (await session.datasets.find(session))?.get(id);
    if (live && change.changes) requireSame(session, id, state, live);
    const isReplaced = change.replaces.length > 0;
    const expected = { id, evidence: state.evidence, object: describeDataset(id), list: session.datasets, isReplaced };
    const doubt = live ? describeOther(session, id, state, live) : await findDoubt(session, expected);
    return doubt ? [doubt] : [];
  },

  create: (session, inputs) => (inputs.adopt ? adoptDataset(session, inputs) : createDataset(session, inputs)),

  async read(session, id, state) {
    const { account, client } = session;
    const live = await orGone(client.datasets.get(id));
    if (!live) return account.confirmForgotten(session, id, state.evidence, describeDataset(id), session.datasets);
    if (state.record) requireSame(session, id, state, live);
    const evidence = account.evidence(session, id, state.evidence);
    const renewed = { ...outputsOf(live), evidence, ...(!state.record && { chosenName: true as const }) };
    return liveDataset.found<DatasetInputs, DatasetState>(state, live, renewed);
  },

  async update(session, id, state, inputs) {
    const { client } = session;
    const live = await orGone(client.datasets.get(id));
    if (!live) throw new Error(`${describeDataset(id)} was not found: run "pulumi refresh", then "pulumi up" again.`);
    requireSame(session, id, state, live);
    const changed = inputs.adopt ? [] : liveDataset.compare(state, inputs, {}).fields;
    const declared = pick(inputs, liveDataset.keys);
    if (changed.length === 0) {
      const observed = liveDataset.redeclare(liveDataset.read(state), declared);
      return recordDataset(session, inputs, observed, live, state.evidence);
    }
    if (changed.includes("retentionDays")) requireRetention(id, state, live, inputs);
    const response = await client.datasets.update(id, changesOf(live, changed, inputs));
    const observed = liveDataset.observe(declared, { ...pick(live, liveDataset.keys), ...declared, ...response });
    return recordDataset(session, inputs, observed, live, state.evidence);
  },

  delete: endDataset,
};

/**
 * The request of an update. It repeats what stays: no source states what the service does with a field that is left out, and a
 * retention that it resets would delete events. A field that is no longer declared is emptied.
 */
function changesOf(live: DatasetFields, changed: readonly string[], inputs: DatasetInputs): DatasetChanges {
  const { description = "" } = changed.includes("description") ? inputs : live;
  if (changed.includes("retentionDays")) return { description, ...retentionOf(inputs) };
  return { description, ...(live.retentionDays !== undefined && retentionOf(live)) };
}

const retentionOf = ({ retentionDays }: DatasetFields): DatasetChanges =>
  retentionDays === undefined ? { useRetentionPeriod: false } : { retentionDays, useRetentionPeriod: true };

const outputsOf = ({ created: createdAt, who, edgeDeploymentUrl }: DatasetRecord) =>
  defined({ createdAt, who, edgeDeploymentUrl });

/** The state after a request. */
function recordDataset(
  session: Session,
  inputs: DatasetInputs,
  observed: Observed<DatasetFields>,
  live: DatasetRecord,
  recorded?: string,
): DatasetState {
  const created = recorded === undefined && !inputs.adopt ? session.now() : undefined;
  const evidence = session.account.evidence(session, live.id, recorded, created);
  return liveDataset.write({ ...inputs, ...outputsOf(live), evidence }, observed, {});
}

async function createDataset(session: Session, inputs: DatasetInputs) {
  const { client } = session;
  const spec = { ...pick(inputs, liveDataset.keys), ...(inputs.retentionDays !== undefined && retentionOf(inputs)) };
  const since = session.now();
  const live = await client.datasets.create(spec).catch(async (failure: unknown) => {
    if (isStatus(failure, 409)) throw new Error(describeConflict(inputs.name, failure as Error), { cause: failure });
    if (!isOutcomeUnknown(failure)) throw failure;
    const found = await findCreated(session, inputs, since);
    if (found) return found;
    throw new UncertainCreate(
      `${failure.message}. ${describeDataset(inputs.name)} may exist; the request was not sent again. If it exists, declare its name with adopt: true.`,
      { cause: failure },
    );
  });
  return { id: live.id, state: recordDataset(session, inputs, liveDataset.observe(inputs, live), live) };
}

const describeConflict = (name: string, { message }: Error): string =>
  `${message}. If ${describeDataset(name)} exists, declare adopt: true to manage it with its events. If this is its replacement: ${waysOut}`;

async function adoptDataset(session: Session, inputs: DatasetInputs) {
  const { datasets, baseUrl } = session.client;
  const words = describeDataset(inputs.name);
  const live = await orGone(datasets.get(inputs.name));
  if (!live) throw new Error(`there is no ${words} to adopt on ${baseUrl}: remove adopt to create it`);
  const declared = { ...pick(live, ["kind", "edgeDeployment"]), ...pick(inputs, liveDataset.keys) };
  requireAdoptable(session, live.id, words, liveDataset.differing(declared, live).join(", "));
  return { id: live.id, state: recordDataset(session, inputs, liveDataset.observe(inputs, live), live) };
}

export const hostedDataset = host(connect, datasetDefinition, dataset);
