import type * as pulumi from "@pulumi/pulumi";
import type { Per } from "../deployment";

/** The arguments of a `DeploymentAnnotation`. What is left out is filled in from the CI system, or from git. */
export interface DeploymentAnnotationArgs {
  /** Names of the datasets on which the deployment is marked, at least one. Their order is ignored. */
  datasets: pulumi.Input<readonly pulumi.Input<string>[]>;
  /**
   * A short text: the public service takes up to 256 characters.
   * @default project, stack and commit
   */
  title?: pulumi.Input<string | undefined>;
  /**
   * Free text: the public service takes up to 512 characters.
   * @default commit, branch, actor, CI run, pull request and stack
   */
  description?: pulumi.Input<string | undefined>;
  /**
   * Kind of annotation.
   * @default "deploy"
   */
  type?: pulumi.Input<string | undefined>;
  /**
   * A link that goes with it: an http(s) address.
   * @default the CI run, or the commit's page
   */
  url?: pulumi.Input<string | undefined>;
  /** What is deployed, where neither the CI system nor git says so, for example in a container without a checkout. */
  commit?: pulumi.Input<string | undefined>;
  /**
   * When a new annotation is made. `commit`: when another commit is deployed (without a commit: in another CI run;
   * without one of those, once). `run`: in every CI run, and outside CI in every update.
   * @default "commit"
   */
  per?: Per | undefined;
  /**
   * Whether an annotation that cannot be recorded fails the update. If not, what was not sent because the service is down
   * is sent by the next update. What may have arrived is never sent again: with `required` it fails one update. A refusal
   * fails the update either way.
   * @default false
   */
  required?: pulumi.Input<boolean | undefined>;
}
