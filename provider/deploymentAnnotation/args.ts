import type * as pulumi from "@pulumi/pulumi";
import type { Per } from "../deployment";

/** The arguments of a `DeploymentAnnotation`. Missing texts are generated from the CI system or from git. */
export interface DeploymentAnnotationArgs {
  /** Names of the datasets to mark the deployment on, at least one. Their order is ignored. */
  datasets: pulumi.Input<readonly pulumi.Input<string>[]>;
  /**
   * Title. The public service accepts up to 256 characters.
   * @default project, stack and commit
   */
  title?: pulumi.Input<string | undefined>;
  /**
   * Description. The public service accepts up to 512 characters.
   * @default commit, branch, actor, CI run, pull request and stack
   */
  description?: pulumi.Input<string | undefined>;
  /**
   * Kind of annotation.
   * @default "deploy"
   */
  type?: pulumi.Input<string | undefined>;
  /**
   * Link of the annotation: an `http:` or `https:` address.
   * @default the address of the CI run, otherwise of the commit
   */
  url?: pulumi.Input<string | undefined>;
  /**
   * The deployed commit. Declare it where neither the CI system nor git knows it, such as in a container without a checkout.
   * @default the commit of the CI system, otherwise of git
   */
  commit?: pulumi.Input<string | undefined>;
  /**
   * When to create a new annotation. `commit`: for each new commit; if the commit is not known, for each CI run; if neither is
   * known, only once. `run`: for each CI run, and outside CI for each update.
   * @default "commit"
   */
  per?: Per | undefined;
  /**
   * Whether the update fails if the annotation is not recorded. Otherwise this is a warning, and the annotation is not sent
   * again. An annotation that may have arrived is never sent again: with `required` it fails one update. A refusal by the
   * service always fails the update.
   * @default false
   */
  required?: pulumi.Input<boolean | undefined>;
}
