import * as pulumi from "@pulumi/pulumi";
import { type OutputsOf, register } from "../../framework/program/registration";
import { thisPackage } from "../strings";
import type { AnnotationArgs } from "./args";
import { annotationDefinition } from "./definition";

/**
 * An annotation: a titled marker on datasets, at a point in time or over a range. The documented interface only creates
 * annotations: a change makes another one and keeps the old, `delete` forgets, and a refresh reports what was recorded.
 * In the `extended` profile a change is made in place, a refresh reads the live annotation, and `delete` deletes it
 * unless `retain` says otherwise.
 *
 * @example
 * ```ts
 * new Annotation("deploy", { datasets: ["web"], title: "Deployed 1.4", type: "deploy" });
 * ```
 */
export class Annotation extends pulumi.CustomResource implements OutputsOf<typeof annotationDefinition> {
  /** Names of the datasets that it belongs to. */
  declare readonly datasets: pulumi.Output<string[]>;
  /** The title, as declared. */
  declare readonly title: pulumi.Output<string | undefined>;
  /** The text, as declared. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** The kind, as declared. */
  declare readonly type: pulumi.Output<string | undefined>;
  /** When it applies, as declared or as taken at creation: an RFC 3339 instant. */
  declare readonly time: pulumi.Output<string>;
  /** The end of its range, if it has one: an RFC 3339 instant. */
  declare readonly endTime: pulumi.Output<string | undefined>;
  /** The link, as declared. */
  declare readonly url: pulumi.Output<string | undefined>;
  /** The values that it was made for. */
  declare readonly triggers: pulumi.Output<Record<string, string | number | boolean> | undefined>;
  /** Whether it stays, as declared. */
  declare readonly retain: pulumi.Output<boolean | undefined>;

  /** @throws Error if the program does not depend on this package directly */
  constructor(name: string, args: AnnotationArgs, options: pulumi.CustomResourceOptions = {}) {
    using registration = register(thisPackage, annotationDefinition, { name, args, options });
    super(...registration.args);
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
