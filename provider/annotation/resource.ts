import { type ResourceClass, resourceClass } from "../../framework/program/resourceClass";
import { thisPackage } from "../strings";
import { type AnnotationArgs, type AnnotationOutputs, annotationDefinition } from "./definition";

/**
 * An annotation: a titled marker on datasets, at a point in time or over a range. In the `documented` profile annotations can
 * only be created: a change creates another annotation and keeps the old one, a refresh reports the recorded values, and a
 * destroy only removes the annotation from the state. In the `extended` profile a change is made in place, a refresh reads
 * the live annotation, and a destroy deletes it unless `retain` is true.
 *
 * @example
 * ```ts
 * new Annotation("deploy", { datasets: ["web"], title: "Deployed 1.4", type: "deploy" });
 * ```
 */
export const Annotation: ResourceClass<AnnotationArgs, AnnotationOutputs> = resourceClass(
  thisPackage,
  annotationDefinition,
);
/** The outputs of an `Annotation`. */
export type Annotation = InstanceType<typeof Annotation>;
