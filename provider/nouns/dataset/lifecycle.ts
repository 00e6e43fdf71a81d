import { pick } from "../../../framework/compare";
import { changedInputs, findUnknownReplacing, mayReplace } from "../../../framework/definition";
import type { Observed } from "../../../framework/drift";
import { host } from "../../../framework/host";
import { UncertainCreate } from "../../../framework/lifecycle";
import { isRenamed } from "../../../framework/naming";
import { hasUnknown } from "../../../framework/unknown";
import { type DatasetChanges, type DatasetRecord, isStatus, orGone } from "../../../sdk";
import { isOutcomeUnknown } from "../../../sdk/errors";
import type { DatasetFields } from "../../../sdk/resources/datasetFields";
import { defined } from "../../../values/defined";
import { connect, type Lifecycle, type Session } from "../../shared/account/connection";
import { findDoubt } from "../../shared/account/presence";
import { type DatasetInputs, type DatasetState, datasetDefinition, datasetInputKeys, liveDataset } from "./definition";
import { describeEnd, endDataset, requireOtherName, requireRetention, type Word, waysOut } from "./events";
import { describeDataset, describeOther, findCreated, requireSame } from "./identity";
import { checkDataset } from "./inputs";

export const dataset: Lifecycle<DatasetInputs, DatasetState, Word> = {
  check: checkDataset,

  diff(id, state, inputs, plan) {
    const fields = liveDataset.changed(state, withChosen(state, inputs));
    const others = changedInputs(datasetDefinition, ["adopt", "deleteEvents"], state, inputs);
    if (inputs.adopt) return planBorrowed(id, state, inputs, fields, others.length > 0);
    const changed = [...fields, ...others];
    const replacing = changed.filter((key) => mayReplace(datasetDefinition.properties[key] ?? {}, plan));
    requireOtherName(id, state, inputs, replacing);
    const replaces = [...replacing, ...findUnknownReplacing(datasetDefinition, inputs, plan)];
    if (replaces.length === 0 && fields.includes("retentionDays")) requireRetention(id, state, state, inputs);
    const notice = `${describeDataset(id)} will be replaced (${replaces.join(", ")}). The old one ${describeEnd(state, inputs)}.`;
    return {
      changes: changed.length > 0 || isRenamed(state, inputs),
      replaces,
      notice: replaces.length > 0 ? notice : undefined,
      plans: { [id]: pick(inputs, ["adopt", "deleteEvents"]) },
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
    const recorded = state.record && liveDataset.read(state);
    if (!recorded) {
      const inputs = { ...state, chosenName: true, ...pick(live, liveDataset.keys) } as DatasetInputs;
      return { inputs, state: recordDataset(session, inputs, liveDataset.observe(live, live), live) };
    }
    requireSame(session, id, state as DatasetState, live);
    const observed = liveDataset.reconcile(recorded, live);
    const evidence = account.evidence(session, id, state.evidence);
    if (observed === recorded && evidence === state.evidence) return { state: state as DatasetState };
    const next = liveDataset.write<DatasetState>({ ...state, evidence }, observed, state.record ?? {});
    if (observed === recorded) return { state: next };
    return { inputs: { ...pick(next, datasetInputKeys), ...liveDataset.report(next) } as DatasetInputs, state: next };
  },

  async update(session, id, state, inputs) {
    const { client } = session;
    const live = await orGone(client.datasets.get(id));
    if (!live) throw new Error(`${describeDataset(id)} was not found: run "pulumi refresh", then "pulumi up" again.`);
    requireSame(session, id, state, live);
    const wanted = withChosen(state, inputs);
    const fields = inputs.adopt ? [] : liveDataset.changed(state, wanted);
    if (fields.length === 0)
      return recordDataset(
        session,
        inputs,
        liveDataset.redeclare(liveDataset.read(state), inputs),
        live,
        state.evidence,
      );
    if (fields.includes("retentionDays")) requireRetention(id, state, live, inputs);
    const changed = await client.datasets.update(id, { ...presentOf(live), ...changesOf(fields, inputs) });
    const sent = { ...pick(live, liveDataset.keys), ...pick(inputs, liveDataset.keys) };
    const observed = liveDataset.observe(pick(inputs, liveDataset.keys), { ...sent, ...changed });
    return recordDataset(session, inputs, observed, live, state.evidence);
  },

  delete: endDataset,
};

/** The kind and the edge deployment that the service chose, or that were declared before, stay unless others are declared. */
const withChosen = (state: Partial<DatasetInputs>, inputs: DatasetInputs): DatasetInputs => ({
  ...pick(state, ["kind", "edgeDeployment"]),
  ...inputs,
});

/**
 * The fields that a request must repeat so that nothing else changes: no source states what the service does with a field that is left out, and a
 * retention that it resets would delete events.
 */
const presentOf = ({ description, retentionDays }: DatasetFields): DatasetChanges => ({
  ...defined({ description }),
  ...(retentionDays !== undefined && retentionOf(retentionDays)),
});

/** The request that changes some fields. A field that is no longer declared is emptied. */
function changesOf(fields: readonly string[], { description = "", retentionDays }: DatasetInputs): DatasetChanges {
  return {
    ...(fields.includes("description") && { description }),
    ...(fields.includes("retentionDays") && retentionOf(retentionDays)),
  };
}

const retentionOf = (retentionDays: number | undefined): DatasetChanges =>
  retentionDays === undefined ? { useRetentionPeriod: false } : { retentionDays, useRetentionPeriod: true };

/** While `adopt` is declared the dataset is only borrowed: it is not changed, whatever differs. */
function planBorrowed(id: string, state: DatasetState, inputs: DatasetInputs, fields: string[], isNew: boolean) {
  if (inputs.name !== id && !hasUnknown(inputs.name))
    throw new Error(
      `adopt names another dataset, but this resource manages ${describeDataset(id)} already: a dataset is adopted when its resource is created.`,
    );
  const differing = fields.filter((field) => field !== "name").join(", ");
  const notice = `${describeDataset(id)} is only borrowed, so it is not changed, although it differs from what is declared in ${differing}. Declare what is live, or remove adopt.`;
  return {
    changes: isNew || isRenamed(state, inputs),
    replaces: [],
    notice: differing === "" ? undefined : notice,
    plans: { [id]: pick(inputs, ["adopt", "deleteEvents"]) },
  };
}

/** The state after a request. */
function recordDataset(
  session: Session,
  inputs: DatasetInputs,
  observed: Observed<DatasetFields>,
  { id, created: createdAt, who, edgeDeploymentUrl }: DatasetRecord,
  evidence?: string,
): DatasetState {
  const created = evidence === undefined && !inputs.adopt ? session.now() : undefined;
  const proofs = session.account.evidence(session, id, evidence, created);
  const outputs = defined({ createdAt, who, edgeDeploymentUrl, evidence: proofs });
  return liveDataset.write({ ...pick(inputs, datasetInputKeys), ...outputs }, observed, {});
}

async function createDataset(session: Session, inputs: DatasetInputs) {
  const { client } = session;
  const spec = { ...pick(inputs, liveDataset.keys), ...(inputs.retentionDays && retentionOf(inputs.retentionDays)) };
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
  const { client, claim } = session;
  const words = describeDataset(inputs.name);
  const live = await orGone(client.datasets.get(inputs.name));
  if (!live) throw new Error(`there is no ${words} to adopt on ${client.baseUrl}: remove adopt to create it`);
  if (!claim(live.id))
    throw new Error(`${words} is not adopted: another resource of this update has it, and only one can.`);
  const declared = { ...pick(live, ["kind", "edgeDeployment"]), ...pick(inputs, liveDataset.keys) };
  const different = liveDataset.differing(declared, live);
  if (different.length > 0)
    throw new Error(
      `${words} is not adopted: it differs from what is declared in ${different.join(", ")}. Declare what is live, adopt, and change it afterwards.`,
    );
  return { id: live.id, state: recordDataset(session, inputs, liveDataset.observe(inputs, live), live) };
}

export const hostedDataset = host(connect, datasetDefinition, dataset);
