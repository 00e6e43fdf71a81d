import { parseSpan } from "./apl/time";
import { datasetKinds, describeNew, noteDatasets, removeDataset } from "./datasetList";
import { boolean, type Check, checkShape, integer, listOf, type Shape, string } from "./fields";
import { badField, HttpError, notFound } from "./httpError";
import { type JsonObject, parseJson, type WireObject } from "./json";
import type { Call, Handler, Service } from "./routing";

const kind: Check = (value, field) => {
  if (!datasetKinds.includes(value as string)) throw badField(field, `must be one of ${datasetKinds.join(", ")}`);
};

/** 0 is how a Go client writes "not set". */
const days: Check = (value, field) => {
  integer(value, field);
  if ((value as number) < 0) throw badField(field, "must not be negative");
};

const dayLength = 86_400_000;

/** A duration such as `24h0m0s` in milliseconds. */
function readSpan(value: unknown, field: string): number {
  const nanos = typeof value === "string" ? parseSpan(value) : undefined;
  if (nanos === undefined || nanos < 0n) throw badField(field, "must be a duration such as 24h");
  return Number(nanos / 1_000_000n);
}

const changeable = { description: string(), retentionDays: days, useRetentionPeriod: boolean };

const shapes = {
  create: {
    fields: {
      ...changeable,
      // Extended interface, "Datasets"; public clients also take dots and underscores.
      name: string({ max: 128, pattern: /^(?!axiom-)[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/ }),
      kind,
      edgeDeployment: string(),
    },
    required: ["name"],
  },
  update: { fields: changeable },
  trim: { fields: { maxDuration: readSpan }, required: ["maxDuration"] },
  mapField: { fields: { name: string({ min: 1 }) }, required: ["name"] },
} as const satisfies Record<string, Shape>;

const whoOf = ({ caller }: Pick<Call, "caller">): string => caller.name ?? "root";

/** Deletes the events of a dataset that are older. */
async function trim({ datasets, now }: Service, dataset: string, milliseconds: number): Promise<void> {
  const before = new Date(now().getTime() - milliseconds);
  if ((await datasets.listNames()).includes(dataset)) await datasets.run("remove", { dataset, before });
}

/** A handler that also finds the datasets that events made. */
const handle =
  (handler: Handler): Handler =>
  async (service, call) => {
    await noteDatasets(service);
    return handler(service, call);
  };

export const createDataset = handle(({ store, now }, call) => {
  checkShape(call.body, shapes.create);
  const shown = describeNew(String(call.body.name), whoOf(call), now(), call.body);
  if (store.list("dataset").some(({ id }) => id === shown.id))
    throw new HttpError(409, "a dataset with this name already exists");
  store.put("dataset", shown);
  return { status: 200, body: shown };
});

export const listDatasets = handle(({ store }) => ({ status: 200, body: store.list("dataset") }));

export const getDataset = handle(({ store }, { params: { id = "" } }) => ({
  status: 200,
  body: store.get("dataset", id),
}));

/** Overwrites the fields that the request contains. A retention period deletes older events at once. */
export const updateDataset = handle(async (service, { params: { id = "" }, body }) => {
  checkShape(body, shapes.update);
  const shown = changeDataset(service, id, body);
  const { useRetentionPeriod, retentionDays } = shown;
  if (useRetentionPeriod === true && Number(retentionDays) > 0)
    await trim(service, id, Number(retentionDays) * dayLength);
  return { status: 200, body: shown };
});

export const deleteDataset = handle(async (service, { params: { id = "" } }) => {
  await removeDataset(service, id);
  return { status: 204 };
});

export const trimDataset = handle(async (service, { params: { id = "" }, body }) => {
  checkShape(body, shapes.trim);
  service.store.get("dataset", id);
  await trim(service, id, readSpan(body.maxDuration, "maxDuration"));
  return { status: 200, body: {} };
});

/** Does nothing: here, a field that no event has any more costs nothing. */
export const vacuumDataset = handle(({ store }, { params: { id = "" } }) => {
  store.get("dataset", id);
  return { status: 200, body: {} };
});

function changeDataset({ store, now }: Service, id: string, fields: JsonObject): WireObject {
  const shown = { ...store.get("dataset", id), ...fields, updatedAt: now().toISOString() };
  store.put("dataset", shown);
  return shown;
}

const mapFieldsOf = ({ store }: Service, id: string): string[] =>
  (store.get("dataset", id).mapFields as string[] | undefined) ?? [];

export const listMapFields = handle((service, { params: { id = "" } }) => ({
  status: 200,
  body: mapFieldsOf(service, id),
}));

export const replaceMapFields = handle((service, { params: { id = "" }, raw }) => {
  const mapFields = parseJson(raw.bytes.toString("utf8"))?.value;
  listOf(string({ min: 1 }))(mapFields, "the body");
  changeDataset(service, id, { mapFields });
  return { status: 200, body: mapFields };
});

export const createMapField = handle((service, { params: { id = "" }, body }) => {
  checkShape(body, shapes.mapField);
  changeDataset(service, id, { mapFields: [...new Set([...mapFieldsOf(service, id), String(body.name)])] });
  return { status: 200, body: { name: body.name } };
});

export const deleteMapField = handle((service, { params: { id = "", name = "" } }) => {
  const before = mapFieldsOf(service, id);
  if (!before.includes(name)) throw notFound("map field");
  changeDataset(service, id, { mapFields: before.filter((one) => one !== name) });
  return { status: 204 };
});
