import * as pulumi from "@pulumi/pulumi";
import { shapesOf } from "../../framework/definition";
import { requireArguments } from "../../framework/functions";
import { nativeToken } from "../../framework/package";
import { register } from "../../framework/program/registration";
import { makePrintable, withPrintableFailures } from "../../values/printable";
import { thisPackage } from "../strings";
import { defaultType, Runs } from "./complete";
import {
  type DeploymentAnnotationArgs,
  type DeploymentAnnotationOutputs,
  deploymentAnnotationDefinition,
} from "./definition";

/** The resource inside a `DeploymentAnnotation`: it is created when all that it depends on is done. */
class Marker extends pulumi.CustomResource {
  constructor(name: string, args: object, options: pulumi.CustomResourceOptions) {
    using registration = register(thisPackage, deploymentAnnotationDefinition, { name, args, options });
    try {
      super(...registration.args);
    } catch (failure) {
      throw registration.complete(failure);
    }
  }
}

export interface DeploymentAnnotation
  extends Pick<DeploymentAnnotationOutputs, "annotationId" | "recorded" | "time" | "endTime"> {}

/**
 * Marks a deployment on datasets. The range starts with the update and ends when every dependency of this resource is done.
 * If a dependency fails, there is no annotation; the command `pulumi-event-datasets annotate` records failed deployments too.
 *
 * @example
 * ```ts
 * new DeploymentAnnotation("deployed", { datasets: ["web"] }, { dependsOn: [service] });
 * ```
 */
export class DeploymentAnnotation extends pulumi.ComponentResource {
  /** @throws Error for an argument that is not known, or if the program does not depend on this package directly */
  constructor(name: string, args: DeploymentAnnotationArgs, options: pulumi.ComponentResourceOptions = {}) {
    requireKnown(name, args);
    try {
      super(nativeToken(thisPackage, "DeploymentAnnotation"), name, {}, options);
    } catch (failure) {
      throw makePrintable(failure);
    }
    const runs = new Runs(new Date().toISOString());
    const { datasets, required } = args;
    const target = { project: pulumi.getProject(), stack: pulumi.getStack(), organization: readOrganization() };
    const found = pulumi.all([args.commit, args.per]).apply(([commit, per]) => {
      requireKnown(name, { ...args, per });
      return runs.complete({ commit, per }, target);
    });
    found.apply(({ warning }) => void (warning && pulumi.log.warn(warning, this)));
    // One by one: a text is as secret, and as unknown, as its own argument and the commit are.
    const text = (key: "title" | "description" | "url") =>
      pulumi.all([args[key], found]).apply(([own, { texts }]) => own ?? texts[key]);
    const type = pulumi.output(args.type).apply((own) => own ?? defaultType);
    const texts = { title: text("title"), description: text("description"), type, url: text("url") };
    const trigger = found.apply((completed) => completed.texts.trigger);
    // Unknown in a preview: with a value, a plan would refuse the later one of its update.
    const startedAt = pulumi.runtime.isDryRun() ? pulumi.output(pulumi.unknown) : runs.startedAt;
    const inputs = { datasets, required, ...texts, trigger, startedAt };
    const marker = new Marker(name, inputs, { parent: this }) as Marker & DeploymentAnnotationOutputs;
    const { annotationId, recorded, time, endTime } = marker;
    const outputs = { annotationId, recorded, time, endTime };
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}

/** Outputs are judged when they are known: `per` goes no further, so nobody else does it. */
const requireKnown = withPrintableFailures((name: string, args: DeploymentAnnotationArgs): void => {
  const { per, ...others } = shapesOf(deploymentAnnotationDefinition);
  const later = Object.fromEntries(Object.keys(others).map((key) => [key, undefined]));
  const isLater = pulumi.Output.isInstance(args.per) || args.per instanceof Promise;
  requireArguments(`DeploymentAnnotation "${name}"`, args, { ...later, per: isLater ? undefined : per });
});

/** Backends that know no organizations call every one "organization"; a unit test need not name one. */
function readOrganization(): string | undefined {
  try {
    const name = pulumi.getOrganization();
    return name === "organization" ? undefined : name;
  } catch {
    return undefined; // the SDK throws where there is none
  }
}
