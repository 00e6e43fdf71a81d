import {
  type ArgsOf,
  defineResource,
  type InputsOf,
  type OutputsOf,
  type StateOf,
} from "../../../framework/definition";
import { type Differences, LiveFields } from "../../../framework/drift";
import { boolean, type Choice, choice, made, oneOf, simple, text } from "../../../framework/shapes";
import type { OperationName } from "../../../sdk";
import { type DatasetFields, datasetFields } from "../../../sdk/resources/datasetFields";

/** A name in a capability that does not stand for a single dataset that a program can create (extended interface, "Datasets"). */
export const isReserved = (name: string): boolean => name === "*" || name.startsWith("axiom-");

/** Older names can also have dots and underscores (extended interface, "Datasets"). */
export const datasetName = simple<string>(
  "must be 1 to 128 ASCII letters, digits and hyphens, and must not begin with axiom-",
  (value) => typeof value === "string" && !isReserved(value) && /^[A-Za-z0-9._-]{1,128}$/.test(value),
);

const dayCount = simple<number>("must be a whole number of days, at least 1", (value) => {
  return Number.isSafeInteger(value) && Number(value) > 0;
});

export const datasetDefinition = defineResource<DatasetFields, OperationName>({
  client: datasetFields,
  replaces: true,
})({
  name: "Dataset",
  module: "v1/dataset",
  operations: {
    create: "datasets.create",
    read: "datasets.get",
    list: "datasets.list",
    update: "datasets.update",
    delete: "datasets.delete",
  },
  fields: {
    description: { replaces: false },
    retentionDays: { is: dayCount, replaces: false },
    kind: { is: oneOf("axiom:events:v1", "otel:logs:v1", "otel:traces:v1", "otel:metrics:v1"), computed: true },
    edgeDeployment: { computed: true },
  },
  properties: {
    /**
     * Name of the dataset: 1 to 128 ASCII letters, digits and hyphens. It is the dataset's id. If the response to the create gets
     * lost, the provider finds a dataset with a generated name again.
     * @default the name of the resource with a random suffix, which is kept
     */
    name: {
      is: datasetName,
      always: true,
      replaces: true,
      computed: true,
      generated: ({ chosenName }: { readonly chosenName?: Choice }) => chosenName !== true,
    },
    /**
     * Takes over the existing dataset of this `name` instead of creating one. Declare the dataset as it is. While `adopt` is
     * `true`, the dataset is only borrowed: it is not changed, replaced or deleted. Once you remove `adopt`, the resource
     * owns it. If you change `name` as well, the resource takes over the dataset of that name, and treats its former dataset as
     * in any replacement.
     */
    adopt: { is: boolean },
    /**
     * Whether the events may be deleted. Without it, a dataset that is replaced, removed or destroyed stays at the service with its
     * events, and a change that sets, shortens or removes `retentionDays` is refused. It takes effect once an update has recorded it;
     * for a change or a replacement, you must still declare it.
     * @default false
     */
    deleteEvents: { is: boolean },
    /** Whether the program or `pulumi:autonaming` chose the name. */
    chosenName: { is: choice, kind: "hint" },
    /** Time of creation: an RFC 3339 timestamp. It distinguishes the dataset from others with the same name. */
    createdAt: { is: text, kind: "output" },
    /** Name of the creator, if the service names one. */
    who: { is: text, kind: "output" },
    /** Address of the edge deployment that has the events, if the service names one. */
    edgeDeploymentUrl: { is: text, kind: "output" },
    /** The proofs that the dataset belongs to an account, as for a token. */
    evidence: { is: text, kind: "hidden" },
    record: { is: made<Differences<DatasetFields>>(), kind: "record", plain: ["drifted"] },
  },
  insteadOfImport: "take the dataset over with its name and the argument adopt: true, or look it up with Dataset.get",
});

/** The arguments of a `Dataset`. */
export interface DatasetArgs extends ArgsOf<typeof datasetDefinition> {}
/** The inputs of a dataset; after `check`, `name` is always present. */
export interface DatasetInputs extends InputsOf<typeof datasetDefinition> {}
/** The state of a dataset. Its fields have the service's values. */
export interface DatasetState extends StateOf<typeof datasetDefinition> {}
export interface DatasetOutputs extends OutputsOf<typeof datasetDefinition> {}

export const liveDataset = new LiveFields<DatasetFields>(datasetDefinition);
