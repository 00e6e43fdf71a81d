import type { JsonObject, WireObject } from "./json";
import type { Service } from "./routing";

export const datasetKinds = ["axiom:events:v1", "otel:logs:v1", "otel:traces:v1", "otel:metrics:v1"];

/** A new dataset in the form of the interface. Its id is its name. */
export const describeNew = (name: string, who: string, created: Date, spec: JsonObject = {}): WireObject => ({
  id: name,
  name,
  description: "",
  kind: datasetKinds[0],
  edgeDeployment: "cloud.us-east-1.aws",
  useRetentionPeriod: false,
  ...spec,
  created: created.toISOString(),
  updatedAt: created.toISOString(),
  who,
  canWrite: true,
  mapFields: [],
});

/** Records the datasets that nobody created, but that exist because events were sent to them. */
export async function noteDatasets({ store, datasets, now }: Service, who = "root"): Promise<void> {
  const names = await datasets.listNames();
  const known = new Set(store.list("dataset").map(({ id }) => id));
  for (const name of names) if (!known.has(name)) store.put("dataset", describeNew(name, who, now()));
}

/** Creates the tables of datasets that have no events yet, so that queries find them. */
export async function openDatasets(service: Service): Promise<void> {
  const { store, datasets, now } = service;
  const missing = store.list("dataset").filter(({ id }) => !datasets.names.includes(id));
  if (missing.length === 0) return;
  const known = await datasets.listNames();
  for (const { id } of missing) if (!known.includes(id)) await datasets.run("create", { dataset: id, now: now() });
}

/** Deletes a dataset with all of its events. */
export async function removeDataset({ store, datasets }: Service, id: string): Promise<void> {
  const { name } = store.get("dataset", id);
  if ((await datasets.listNames()).includes(String(name))) await datasets.run("remove", { dataset: String(name) });
  store.remove("dataset", id);
}
