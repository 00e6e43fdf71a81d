import { boolean, number, type SpecOf, string } from "../../values/jsonType";
import type { ResponseFields, ResponseObject } from "./wire";

/**
 * Every field of a dataset that a program can choose (extended interface, "Datasets"). The documented interface has no
 * datasets.
 */
export const datasetFields = {
  /** Name of the dataset: 1 to 128 ASCII letters, digits and hyphens. It is unique, and it is the id. */
  name: { response: string, profile: "extended", required: true },
  /** Description of the dataset. */
  description: { response: string, profile: "extended" },
  /** How many days the service keeps an event. Without this field, the plan decides. */
  retentionDays: { response: number, profile: "extended" },
  /** Kind of the events: `axiom:events:v1`, `otel:logs:v1`, `otel:traces:v1` or `otel:metrics:v1`. */
  kind: { response: string, profile: "extended" },
  /** The edge deployment that stores the events, such as `cloud.us-east-1.aws`. */
  edgeDeployment: { response: string, profile: "extended" },
} as const;

/** The fields that can change in place, and the switch that turns on the retention period. */
export const datasetChanges = {
  description: datasetFields.description,
  retentionDays: datasetFields.retentionDays,
  /** Whether `retentionDays` holds. */
  useRetentionPeriod: { response: boolean, profile: "extended" },
} as const;

/** The fields that only the service writes. */
export const datasetOutputs = {
  /** The time of creation: an RFC 3339 timestamp. */
  created: { response: string, profile: "extended" },
  /** Name of the creator. */
  who: { response: string, profile: "extended" },
  /** Address of the edge deployment. */
  edgeDeploymentUrl: { response: string, profile: "extended" },
} as const;

/** The fields of a new dataset, without the switch of the retention period. */
export interface DatasetFields extends SpecOf<typeof datasetFields> {}

/** The fields of a change. */
export interface DatasetChanges extends SpecOf<typeof datasetChanges> {}

/** The fields of a new dataset. */
export interface DatasetSpec extends DatasetFields, DatasetChanges {}

/** The fields that only responses have. */
export interface DatasetOutputs extends SpecOf<typeof datasetOutputs> {}

/**
 * A dataset in a response. A field is absent if the service left it out or sent null, or if it has an unexpected type.
 * `retentionDays` is absent unless it is in force.
 */
export interface DatasetRecord extends ResponseFields<DatasetFields>, ResponseFields<DatasetOutputs>, ResponseObject {}
