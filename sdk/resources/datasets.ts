import { path } from "../path";
import type { CallOptions, Transport } from "../transport";
import {
  type DatasetChanges,
  type DatasetOutputs,
  type DatasetRecord,
  type DatasetSpec,
  datasetChanges,
  datasetFields,
  datasetOutputs,
} from "./datasetFields";
import { type Listing, readList, readObject } from "./wire";

const readDataset = readObject<DatasetSpec & DatasetOutputs, DatasetRecord>(
  { ...datasetFields, ...datasetChanges, ...datasetOutputs },
  ({ useRetentionPeriod = true, retentionDays = 0, ...dataset }) => ({
    ...dataset,
    name: dataset.name ?? dataset.id,
    ...(useRetentionPeriod && retentionDays > 0 && { retentionDays }),
  }),
);
const readDatasets = readList(readDataset);

/** `/v2/datasets` (extended interface, "Datasets"). The id of a dataset is its name. Extended profile only. */
export class Datasets {
  readonly #http: Transport;

  constructor(http: Transport) {
    this.#http = http;
  }

  /**
   * Creates a dataset. The request is not retried if it may have arrived: a second one would be refused, because the name exists.
   * @throws ApiError (409: the name exists); with `outcome: "unknown"` the dataset may exist
   */
  async create(spec: DatasetSpec, options: CallOptions = {}): Promise<DatasetRecord> {
    const call = { path: path`/v2/datasets`, body: spec, read: readDataset, ...options };
    return await this.#http.send("datasets.create", call);
  }

  /**
   * Gets a dataset.
   * @throws ApiError (404: no such dataset), RangeError for an id that cannot be part of an address
   */
  async get(id: string, options: CallOptions = {}): Promise<DatasetRecord> {
    return await this.#http.send("datasets.get", { path: path`/v2/datasets/${id}`, read: readDataset, ...options });
  }

  /**
   * All datasets, in the service's order. The list's `odd` has the entries that could not be read.
   * @throws ApiError
   */
  async list(options: CallOptions = {}): Promise<Listing<DatasetRecord>> {
    return await this.#http.send("datasets.list", { path: path`/v2/datasets`, read: readDatasets, ...options });
  }

  /**
   * Changes the given fields and keeps the others. A shorter retention deletes the events that are older.
   * @throws ApiError (404: no such dataset), RangeError for an id that cannot be part of an address
   */
  async update(id: string, changes: DatasetChanges, options: CallOptions = {}): Promise<DatasetRecord> {
    const call = { path: path`/v2/datasets/${id}`, body: changes, read: readDataset, ...options };
    return await this.#http.send("datasets.update", call);
  }

  /**
   * Deletes a dataset with all of its events.
   * @throws ApiError (404: no such dataset), RangeError for an id that cannot be part of an address
   */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    return await this.#http.send("datasets.delete", { path: path`/v2/datasets/${id}`, ...options });
  }
}
