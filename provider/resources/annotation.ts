import * as pulumi from "@pulumi/pulumi";
import type { AnnotationInputs, AnnotationState } from "../lifecycle/annotation/annotation";
import { type OutputsOf, type PropertyTable, registrationOf } from "./eventDatasetsResource";
import { findSecretInputs } from "./hints";
import { withoutPromiseStacks } from "./promiseStacks";

/** The arguments of an `Annotation`. */
export interface AnnotationArgs {
  /** Names of the datasets that it belongs to, at least one. Their order is ignored. */
  datasets: pulumi.Input<readonly pulumi.Input<string>[]>;
  /** A short text: the public service takes up to 256 characters. */
  title?: pulumi.Input<string | undefined>;
  /** Free text: the public service takes up to 512 characters. */
  description?: pulumi.Input<string | undefined>;
  /** Kind of annotation. Its allowed values are not documented; the public service requires it. */
  type?: pulumi.Input<string | undefined>;
  /**
   * When it applies: an RFC 3339 instant.
   * @default the moment of creation, and it stays that
   */
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
   * Whether the annotation stays when the resource is destroyed or replaced. The documented interface cannot delete
   * annotations, so there they always stay.
   * @default true with `triggers`, else false
   */
  retain?: pulumi.Input<boolean | undefined>;
}

const properties = {
  datasets: "argument",
  title: "argument",
  description: "argument",
  type: "argument",
  time: "argument",
  endTime: "argument",
  url: "argument",
  triggers: "argument",
  retain: "argument",
  secretInputs: "made",
  baseUrl: "internal",
  credentialHash: "internal",
  account: "internal",
  providerName: "internal",
  timeTaken: "internal",
  answered: "internal",
  answeredHashes: "internal",
} as const satisfies PropertyTable<AnnotationArgs, AnnotationInputs, AnnotationState>;

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
export class Annotation extends pulumi.CustomResource implements OutputsOf<typeof properties> {
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
    const values = { ...args, secretInputs: findSecretInputs(args) };
    const registration = registrationOf("Annotation", name, properties, values, options);
    const stacks = withoutPromiseStacks();
    try {
      super(...registration);
    } catch (failure) {
      throw stacks.complete(failure);
    } finally {
      stacks.restore();
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
