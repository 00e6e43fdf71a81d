import {
  type ArgsOf,
  defineResource,
  type InputsOf,
  type OutputsOf,
  type StateOf,
} from "../../../framework/definition";
import { type Differences, LiveFields } from "../../../framework/drift";
import { boolean, httpUrl, instant, made, names, scalars } from "../../../framework/shapes";
import type { OperationName } from "../../../sdk";
import { type AnnotationSpec, annotationFields } from "../../../sdk/resources/annotationFields";
import type { Planning } from "../../shared/account/connection";

/** The facts about an annotation that the state keeps in addition to inputs and outputs. */
export interface AnnotationRecorded extends Differences<AnnotationSpec> {
  /** The time of creation, which stays in `time` if the program declares no time. */
  readonly timeTaken?: string;
}

/** In a profile without updates, changing an annotation creates another one. */
const replaces = ({ can }: Pick<Planning, "can">): boolean => !can("annotations.update");

export const annotationDefinition = defineResource<AnnotationSpec, OperationName>({
  client: annotationFields,
  replaces,
})({
  name: "Annotation",
  module: "v1/annotation",
  operations: {
    create: "annotations.create",
    read: "annotations.get",
    list: "annotations.list",
    update: "annotations.update",
    delete: "annotations.delete",
  },
  fields: {
    datasets: { is: names, required: true },
    time: { is: instant, computed: true, derives: true, always: "output" },
    endTime: { is: instant },
    url: { is: httpUrl },
  },
  properties: {
    /**
     * Values, such as a commit or an image digest. When one of them changes, another annotation is created. The old one stays unless
     * `retain` is false.
     */
    triggers: { is: scalars, replaces: true },
    /**
     * Whether the annotation is kept when the resource is destroyed or replaced. The `documented` profile cannot delete
     * annotations and always keeps them.
     * @default true with `triggers`, otherwise false
     */
    retain: { is: boolean },
    record: { is: made<AnnotationRecorded>(), kind: "record", plain: ["drifted"] },
  },
  insteadOfImport: "look the annotation up with Annotation.get",
});

/** The arguments of an `Annotation`. */
export interface AnnotationArgs extends ArgsOf<typeof annotationDefinition> {}
export interface AnnotationInputs extends InputsOf<typeof annotationDefinition> {}
/** The state of an annotation. Its fields have the service's values. */
export interface AnnotationState extends StateOf<typeof annotationDefinition> {}
export interface AnnotationOutputs extends OutputsOf<typeof annotationDefinition> {}

export const liveAnnotation = new LiveFields<AnnotationSpec>(annotationDefinition);
