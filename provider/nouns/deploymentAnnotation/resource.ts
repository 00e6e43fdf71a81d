import * as pulumi from "@pulumi/pulumi";
import { type ResourceClass, resourceClass } from "../../../framework/program/resourceClass";
import { thisPackage } from "../../shared/strings";
import {
  type DeploymentAnnotationArgs,
  type DeploymentAnnotationOutputs,
  deploymentAnnotationDefinition,
  type Target,
} from "./definition";

export type { DeploymentAnnotationArgs };

/**
 * Marks a deployment on datasets. The range starts with the update and ends when every dependency of this resource is done.
 * If a dependency fails, there is no annotation; the command `pulumi-event-datasets annotate` records failed deployments too.
 *
 * @example
 * ```ts
 * new DeploymentAnnotation("deployed", { datasets: ["web"] }, { dependsOn: [service] });
 * ```
 */
export const DeploymentAnnotation: ResourceClass<DeploymentAnnotationArgs, DeploymentAnnotationOutputs> = resourceClass(
  thisPackage,
  deploymentAnnotationDefinition,
  {
    // The time is unknown in a preview: with a value, a plan would refuse the later one of its update.
    instead: () => ({
      target: readTarget(),
      startedAt: pulumi.runtime.isDryRun() ? pulumi.output(pulumi.unknown) : new Date().toISOString(),
    }),
  },
);
/** The outputs of a `DeploymentAnnotation`. */
export type DeploymentAnnotation = InstanceType<typeof DeploymentAnnotation>;

/** Backends that know no organizations call every one "organization". In a unit test the SDK throws where none is named. */
function readTarget(): Target {
  const name = { project: pulumi.getProject(), stack: pulumi.getStack() };
  try {
    const organization = pulumi.getOrganization();
    return organization === "organization" ? name : { organization, ...name };
  } catch {
    return name;
  }
}
