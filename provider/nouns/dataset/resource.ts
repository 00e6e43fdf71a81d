import { type ReadableClass, resourceClass } from "../../../framework/program/resourceClass";
import { thisPackage } from "../../shared/strings";
import { type DatasetArgs, type DatasetOutputs, datasetDefinition } from "./definition";

export type { DatasetArgs };

/**
 * A dataset, which stores events. Needs the `extended` profile. No update deletes events unless an earlier one has recorded
 * `deleteEvents: true`: a dataset that is replaced, removed or destroyed stays at the service, and a warning names it.
 *
 * @example
 * ```ts
 * const web = new Dataset("web", { name: "web", description: "Requests of the shop" });
 * ```
 */
export const Dataset: ReadableClass<DatasetArgs, DatasetOutputs> = resourceClass(thisPackage, datasetDefinition);
/** The outputs of a `Dataset`. */
export type Dataset = InstanceType<typeof Dataset>;
