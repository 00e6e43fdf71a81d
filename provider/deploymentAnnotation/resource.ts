import * as pulumi from "@pulumi/pulumi";
import { register } from "../../framework/program/registration";
import { thisPackage } from "../strings";
import {
  type DeploymentAnnotationArgs,
  type DeploymentAnnotationOutputs,
  deploymentAnnotationDefinition,
  type Target,
} from "./definition";

export interface DeploymentAnnotation extends DeploymentAnnotationOutputs {}

/**
 * Marks a deployment on datasets. The range starts with the update and ends when every dependency of this resource is done.
 * If a dependency fails, there is no annotation; the command `pulumi-event-datasets annotate` records failed deployments too.
 *
 * @example
 * ```ts
 * new DeploymentAnnotation("deployed", { datasets: ["web"] }, { dependsOn: [service] });
 * ```
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the SDK assigns the outputs
export class DeploymentAnnotation extends pulumi.CustomResource {
  /** @throws Error if the program does not depend on this package directly */
  constructor(name: string, args: DeploymentAnnotationArgs, options: pulumi.CustomResourceOptions = {}) {
    // Unknown in a preview: with a value, a plan would refuse the later one of its update.
    const startedAt = pulumi.runtime.isDryRun() ? pulumi.output(pulumi.unknown) : new Date().toISOString();
    const instead = { target: readTarget(), startedAt };
    using registration = register(thisPackage, deploymentAnnotationDefinition, { name, args, instead, options });
    try {
      super(...registration.args);
    } catch (failure) {
      throw registration.complete(failure);
    }
  }
}

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
