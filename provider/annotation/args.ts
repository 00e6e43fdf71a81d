import type * as pulumi from "@pulumi/pulumi";

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
