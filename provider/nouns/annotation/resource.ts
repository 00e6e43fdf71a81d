import { type ReadableClass, resourceClass } from "../../../framework/program/resourceClass";
import { thisPackage } from "../../shared/strings";
import { type AnnotationArgs, type AnnotationOutputs, annotationDefinition } from "./definition";

export type { AnnotationArgs };

/**
 * Marks a time or a time range of datasets with a title. The `documented` profile can only create annotations: if you change
 * one, it creates another and keeps the old one; a refresh reports the recorded values; and a destroy only removes it from the
 * state. The `extended` profile changes annotations in place, reads them in a refresh, and deletes them unless `retain` is
 * true, which is its default with `triggers`.
 * @remarks `Annotation.get` needs the `extended` profile: the `documented` profile cannot read an annotation.
 *
 * @example
 * ```ts
 * new Annotation("deploy", { datasets: ["web"], title: "Deployed 1.4", type: "deploy" });
 * ```
 */
export const Annotation: ReadableClass<AnnotationArgs, AnnotationOutputs> = resourceClass(
  thisPackage,
  annotationDefinition,
);
/** The outputs of an `Annotation`. */
export type Annotation = InstanceType<typeof Annotation>;
