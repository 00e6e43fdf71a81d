import type * as pulumi from "@pulumi/pulumi";

/** The arguments of an `Annotation`. */
export interface AnnotationArgs {
  /** Names of the datasets that the annotation belongs to, at least one. Their order is ignored. */
  datasets: pulumi.Input<readonly pulumi.Input<string>[]>;
  /** Title. The public service accepts up to 256 characters. */
  title?: pulumi.Input<string | undefined>;
  /** Description. The public service accepts up to 512 characters. */
  description?: pulumi.Input<string | undefined>;
  /** Kind of annotation. The public service requires it; the documented interface does not list its allowed values. */
  type?: pulumi.Input<string | undefined>;
  /**
   * The time that the annotation marks, or the start of its range: an RFC 3339 timestamp.
   * @default the time of creation
   */
  time?: pulumi.Input<string | undefined>;
  /** End of the range: an RFC 3339 timestamp, not before `time`. */
  endTime?: pulumi.Input<string | undefined>;
  /** Link of the annotation: an `http:` or `https:` address. */
  url?: pulumi.Input<string | undefined>;
  /**
   * Values, such as a commit or an image digest, that replace the annotation when one of them changes. The old annotation
   * is kept unless `retain` is false.
   */
  triggers?: pulumi.Input<Record<string, pulumi.Input<string | number | boolean>> | undefined>;
  /**
   * Whether the annotation is kept when the resource is destroyed or replaced. The `documented` profile cannot delete
   * annotations and always keeps them.
   * @default true with `triggers`, otherwise false
   */
  retain?: pulumi.Input<boolean | undefined>;
}
