import type { Hints } from "../../framework/identity";
import type { AnnotationSpec } from "../../sdk";
import type { Sighting } from "../account/account";

/** The inputs of a deployment's annotation, completed from where the program runs. */
export interface DeploymentAnnotationInputs extends Omit<AnnotationSpec, "time" | "endTime">, Hints {
  readonly datasets: readonly string[];
  readonly title: string;
  readonly type: string;
  /** When the program started. Another one at every run, so it is never compared; the one of the create is kept. */
  readonly startedAt: string;
  /** The deployed commit or run. Only a change of it creates another annotation. */
  readonly trigger: string;
  readonly required?: boolean;
}

export interface DeploymentAnnotationState extends DeploymentAnnotationInputs {
  readonly time?: string;
  readonly endTime?: string;
  /** `false`: nothing was sent, the next update sends it. `"unknown"`: it may have arrived and is never sent again. */
  readonly recorded?: boolean | "unknown";
  readonly annotationId?: string;
  /** The account that it belongs to, also while it waits to be sent. */
  readonly record: Sighting;
}
