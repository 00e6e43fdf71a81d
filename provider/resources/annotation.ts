import * as pulumi from "@pulumi/pulumi";
import { storedProvider, typeToken } from "../dynamic/strings";
import { requireDirectDependency } from "./directDependency";

/** The arguments of an `Annotation`. */
export interface AnnotationArgs {
  /** Names of the datasets that it belongs to, at least one. Their order is no matter. */
  datasets: pulumi.Input<pulumi.Input<string>[]>;
  title?: pulumi.Input<string | undefined>;
  /** Free text. */
  description?: pulumi.Input<string | undefined>;
  /** Kind of annotation. Its allowed values are not documented. */
  type?: pulumi.Input<string | undefined>;
  /** When it applies: an RFC 3339 instant. Left out, it is the moment of creation, and stays that. */
  time?: pulumi.Input<string | undefined>;
  /** The end of a range: an RFC 3339 instant, not before `time`. */
  endTime?: pulumi.Input<string | undefined>;
  /** A link that goes with it: an http(s) address. */
  url?: pulumi.Input<string | undefined>;
  /**
   * For example `{ commit }` or an image's digest. When a value changes, a new annotation is made, and the old one stays
   * unless `retain` is false.
   */
  triggers?: pulumi.Input<Record<string, pulumi.Input<string | number | boolean>> | undefined>;
  /**
   * Whether the annotation stays when the resource is destroyed or replaced. Default: true with `triggers`, else false.
   * The documented interface cannot delete annotations, so there they always stay.
   */
  retain?: pulumi.Input<boolean | undefined>;
}

/**
 * An annotation: a titled marker on datasets, at a point in time or over a range. The documented interface only creates
 * annotations: a change makes another one and keeps the old, `delete` forgets, and a refresh reports what was recorded.
 * In the `extended` profile a change is made in place, a refresh reads the live annotation, and `delete` deletes it
 * unless `retain` says otherwise.
 *
 * ```ts
 * new Annotation("deploy", { datasets: ["web"], title: "Deployed 1.4", type: "deploy" });
 * ```
 */
export class Annotation extends pulumi.CustomResource {
  declare readonly datasets: pulumi.Output<string[]>;
  declare readonly title: pulumi.Output<string | undefined>;
  declare readonly description: pulumi.Output<string | undefined>;
  declare readonly type: pulumi.Output<string | undefined>;
  /** When it applies, as given or as taken at creation. */
  declare readonly time: pulumi.Output<string>;
  declare readonly endTime: pulumi.Output<string | undefined>;
  declare readonly url: pulumi.Output<string | undefined>;
  declare readonly triggers: pulumi.Output<Record<string, string | number | boolean> | undefined>;
  declare readonly retain: pulumi.Output<boolean | undefined>;

  /** @throws Error if the program does not depend on this package directly */
  constructor(name: string, args: AnnotationArgs, options: pulumi.CustomResourceOptions = {}) {
    requireDirectDependency("Annotation");
    const properties = {
      datasets: args.datasets,
      title: args.title,
      description: args.description,
      type: args.type,
      time: args.time,
      endTime: args.endTime,
      url: args.url,
      triggers: args.triggers,
      retain: args.retain,
      __provider: storedProvider("Annotation"),
    };
    super(typeToken("Annotation"), name, properties, options);
  }

  /**
   * Looks up an existing annotation by its id, without managing it. Needs the `extended` profile: the documented
   * interface has no way to read an annotation.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options: pulumi.CustomResourceOptions = {}): Annotation {
    return new Annotation(name, { datasets: [] }, { ...options, id });
  }
}
