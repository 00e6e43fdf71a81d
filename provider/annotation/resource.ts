import * as pulumi from "@pulumi/pulumi";
import { register } from "../../framework/program/registration";
import { thisPackage } from "../strings";
import { type AnnotationArgs, type AnnotationOutputs, annotationDefinition } from "./definition";

export interface Annotation extends AnnotationOutputs {}

/**
 * A titled point or range on datasets. The `documented` profile can only create annotations: if you change one, it creates another
 * and keeps the old one; a refresh reports the recorded values; and a destroy only removes it from the state. The `extended`
 * profile changes annotations in place, reads them in a refresh, and deletes them unless `retain` is true.
 *
 * @example
 * ```ts
 * new Annotation("deploy", { datasets: ["web"], title: "Deployed 1.4", type: "deploy" });
 * ```
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the SDK assigns the outputs
export class Annotation extends pulumi.CustomResource {
  /** @throws Error if the program does not depend on this package directly */
  constructor(name: string, args: AnnotationArgs, options: pulumi.CustomResourceOptions = {}) {
    using registration = register(thisPackage, annotationDefinition, { name, args, options });
    try {
      super(...registration.args);
    } catch (failure) {
      throw registration.complete(failure);
    }
  }

  /**
   * Looks up an existing annotation by its id, without managing it. Needs the `extended` profile: the documented
   * interface has no way to read an annotation.
   * @param name logical name of the resource in the program
   * @param id the annotation's id, such as `ann_…`
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options: pulumi.CustomResourceOptions = {}): Annotation {
    return new Annotation(name, { datasets: [] }, { ...options, id });
  }
}
