import * as pulumi from "@pulumi/pulumi";
import type { DeploymentMarkerInputs, DeploymentMarkerState } from "../lifecycle/annotation/deploymentMarker";
import { type OutputsOf, type PropertyTable, registrationOf } from "./eventDatasetsResource";
import { findSecretInputs } from "./hints";

/** What a `DeploymentAnnotation` makes of its arguments and of where it runs. */
export interface DeploymentMarkerArgs {
  readonly datasets: pulumi.Input<readonly pulumi.Input<string>[]>;
  readonly title: pulumi.Input<string>;
  readonly description: pulumi.Input<string | undefined>;
  readonly type: pulumi.Input<string>;
  readonly url: pulumi.Input<string | undefined>;
  readonly startedAt: string;
  readonly trigger: pulumi.Input<string>;
  readonly required: pulumi.Input<boolean | undefined>;
}

const properties = {
  datasets: "argument",
  title: "argument",
  description: "argument",
  type: "argument",
  url: "argument",
  startedAt: "argument",
  trigger: "argument",
  required: "argument",
  secretInputs: "made",
  annotationId: "output",
  recorded: "output",
  time: "output",
  endTime: "output",
  baseUrl: "internal",
} as const satisfies PropertyTable<DeploymentMarkerArgs, DeploymentMarkerInputs, DeploymentMarkerState>;

/** The resource inside a `DeploymentAnnotation`: it is created when all that it depends on is done. */
export class DeploymentMarker extends pulumi.CustomResource implements OutputsOf<typeof properties> {
  declare readonly datasets: pulumi.Output<string[]>;
  declare readonly title: pulumi.Output<string>;
  declare readonly description: pulumi.Output<string | undefined>;
  declare readonly type: pulumi.Output<string>;
  declare readonly url: pulumi.Output<string | undefined>;
  declare readonly startedAt: pulumi.Output<string>;
  declare readonly trigger: pulumi.Output<string>;
  declare readonly required: pulumi.Output<boolean | undefined>;
  declare readonly annotationId: pulumi.Output<string | undefined>;
  declare readonly recorded: pulumi.Output<boolean | "unknown">;
  declare readonly time: pulumi.Output<string>;
  declare readonly endTime: pulumi.Output<string>;

  /** @throws Error if the program does not depend on this package directly */
  constructor(name: string, args: DeploymentMarkerArgs, options: pulumi.CustomResourceOptions) {
    const values = { ...args, secretInputs: findSecretInputs(args) };
    super(...registrationOf("DeploymentMarker", name, properties, values, options));
  }
}
