import type { Differences } from "../../framework/drift";
import type { Hints } from "../../framework/identity";
import type { AnnotationSpec } from "../../sdk";

export interface AnnotationInputs extends AnnotationSpec, Hints {
  readonly datasets: readonly string[];
  readonly triggers?: Readonly<Record<string, string | number | boolean>>;
  readonly retain?: boolean;
}

/** The state of an annotation. Its fields are as the service has them. */
export interface AnnotationState extends AnnotationInputs {
  readonly record: AnnotationRecorded;
}

/** Everything that is known of an annotation besides its inputs and outputs. */
export interface AnnotationRecorded extends Differences<AnnotationSpec> {
  /** The moment of creation, where no time was declared: `time` is to stay that. */
  readonly timeTaken?: string;
}
