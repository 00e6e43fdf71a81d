import * as pulumi from "@pulumi/pulumi";
import { storedProvider, typeToken } from "../dynamic/strings";
import { requireDirectDependency } from "./directDependency";

/** What a `DeploymentAnnotation` makes of its arguments and of where it runs. */
export interface DeploymentMarkerArgs {
  readonly datasets: pulumi.Input<pulumi.Input<string>[]>;
  readonly title: pulumi.Input<string>;
  readonly description: pulumi.Input<string | undefined>;
  readonly type: pulumi.Input<string>;
  readonly url: pulumi.Input<string | undefined>;
  readonly startedAt: string;
  readonly trigger: pulumi.Input<string>;
  readonly required: pulumi.Input<boolean | undefined>;
}

/** The resource inside a `DeploymentAnnotation`: it is created when all that it depends on is done. */
export class DeploymentMarker extends pulumi.CustomResource {
  declare readonly annotationId: pulumi.Output<string | undefined>;
  declare readonly recorded: pulumi.Output<boolean | "unknown">;
  declare readonly time: pulumi.Output<string>;
  declare readonly endTime: pulumi.Output<string>;

  /** @throws Error if the program does not depend on this package directly */
  constructor(name: string, args: DeploymentMarkerArgs, options: pulumi.CustomResourceOptions) {
    requireDirectDependency("DeploymentMarker");
    const outputs = { annotationId: undefined, recorded: undefined, time: undefined, endTime: undefined };
    const properties = { ...args, ...outputs, __provider: storedProvider("DeploymentMarker") };
    super(typeToken("DeploymentMarker"), name, properties, options);
  }
}
