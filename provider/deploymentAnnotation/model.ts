import type { Hints } from "../../framework/identity";
import type { AnnotationSpec } from "../../sdk";

/** The inputs of a deployment's annotation, completed from where the program runs. */
export interface DeploymentAnnotationInputs extends Omit<AnnotationSpec, "time" | "endTime">, Hints {
  readonly datasets: readonly string[];
  readonly title: string;
  readonly type: string;
  /**
   * When the program started; a preview does not know it. Another one at every run, so it is never compared; the one of the create
   * is kept. Absent in the plugin, which starts with the update itself.
   */
  readonly startedAt?: string;
  /** The deployed commit or run. Only a change of it creates another annotation. */
  readonly trigger: string;
  readonly required?: boolean;
}

export interface DeploymentAnnotationState extends DeploymentAnnotationInputs {
  readonly time?: string;
  readonly endTime?: string;
  /** `false`: it was not sent. `"unknown"`: it may have arrived. It is never sent again. */
  readonly recorded?: boolean | "unknown";
  readonly annotationId?: string;
}
