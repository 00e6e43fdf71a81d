import type { CallOptions, Transport } from "../transport";
import { Collection } from "./collection";
import {
  type DatasetChanges,
  type DatasetOutputs,
  type DatasetRecord,
  type DatasetSpec,
  datasetChanges,
  datasetFields,
  datasetOutputs,
} from "./datasetFields";
import { readObject } from "./wire";

const readDataset = readObject<DatasetSpec & DatasetOutputs, DatasetRecord>(
  { ...datasetFields, ...datasetChanges, ...datasetOutputs },
  ({ useRetentionPeriod = true, retentionDays = 0, ...dataset }) => ({
    ...dataset,
    name: dataset.name ?? dataset.id,
    ...(useRetentionPeriod && retentionDays > 0 && { retentionDays }),
  }),
);

/** `/v2/datasets` (extended interface, "Datasets"). The id of a dataset is its name. Extended profile only. */
export class Datasets extends Collection<DatasetRecord, DatasetSpec> {
  constructor(http: Transport) {
    super(http, "datasets", readDataset, readDataset);
  }

  /**
   * Changes the given fields and keeps the others. A shorter retention period deletes older events.
   * @throws ApiError (404: no such dataset), RangeError for an id that cannot be part of an address
   */
  async update(id: string, changes: DatasetChanges, options: CallOptions = {}): Promise<DatasetRecord> {
    const call = { path: this.pathOf(id), body: changes, read: this.read, ...options };
    return await this.http.send("datasets.update", call);
  }
}
