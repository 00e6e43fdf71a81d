import * as pulumi from "@pulumi/pulumi";
import { formsOf } from "../../framework/definition";
import { requireArguments } from "../../framework/functions";
import { nativeToken } from "../../framework/package";
import { type OutputsOf, register } from "../../framework/program/registration";
import { makePrintable, withPrintableFailures } from "../../values/printable";
import { thisPackage } from "../strings";
import type { DeploymentAnnotationArgs } from "./args";
import { defaultType, Runs } from "./complete";
import { deploymentAnnotationDefinition } from "./definition";

/** The resource inside a `DeploymentAnnotation`: it is created when all that it depends on is done. */
class Marker extends pulumi.CustomResource implements OutputsOf<typeof deploymentAnnotationDefinition> {
  declare readonly datasets: pulumi.Output<string[]>;
  declare readonly title: pulumi.Output<string>;
  declare readonly description: pulumi.Output<string | undefined>;
  declare readonly type: pulumi.Output<string>;
  declare readonly url: pulumi.Output<string | undefined>;
  declare readonly required: pulumi.Output<boolean | undefined>;
  declare readonly annotationId: pulumi.Output<string | undefined>;
  declare readonly recorded: pulumi.Output<boolean | "unknown">;
  declare readonly time: pulumi.Output<string>;
  declare readonly endTime: pulumi.Output<string>;

  constructor(name: string, args: object, options: pulumi.CustomResourceOptions) {
    using registration = register(thisPackage, deploymentAnnotationDefinition, { name, args, options });
    try {
      super(...registration.args);
    } catch (failure) {
      throw registration.complete(failure);
    }
  }
}

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
  /** Id of the annotation. Empty if it was not recorded. */
  readonly annotationId: pulumi.Output<string | undefined>;
  /**
   * Whether the annotation is recorded. False: it could not be sent. `"unknown"`: it may have arrived. It is not sent again.
   * @asType union
   */
  readonly recorded: pulumi.Output<boolean | "unknown">;
  /** Start of the range: an RFC 3339 timestamp. */
  readonly time: pulumi.Output<string>;
  /** End of the range: an RFC 3339 timestamp. */
  readonly endTime: pulumi.Output<string>;

  /** @throws Error for an argument that is not known, or if the program does not depend on this package directly */
  constructor(name: string, args: DeploymentAnnotationArgs, options: pulumi.ComponentResourceOptions = {}) {
    requireKnown(name, args);
    try {
      super(nativeToken(thisPackage, "DeploymentAnnotation"), name, {}, options);
    } catch (failure) {
      throw makePrintable(failure);
    }
    const runs = new Runs(new Date().toISOString());
    const { datasets, required, per } = args;
    const target = { project: pulumi.getProject(), stack: pulumi.getStack(), organization: readOrganization() };
    const found = pulumi.output(args.commit).apply((commit) => runs.complete({ commit, per }, target));
    found.apply(({ warning }) => void (warning && pulumi.log.warn(warning, this)));
    // One by one: a text is as secret, and as unknown, as its own argument and the commit are.
    const text = (key: "title" | "description" | "url") =>
      pulumi.all([args[key], found]).apply(([own, { texts }]) => own ?? texts[key]);
    const type = pulumi.output(args.type).apply((own) => own ?? defaultType);
    const texts = { title: text("title"), description: text("description"), type, url: text("url") };
    const trigger = found.apply((completed) => completed.texts.trigger);
    // Unknown in a preview: with a value, a plan would refuse the later one of its update.
    const startedAt = pulumi.runtime.isDryRun() ? pulumi.output(pulumi.unknown) : runs.startedAt;
    const marker = new Marker(name, { datasets, required, ...texts, trigger, startedAt }, { parent: this });
    this.annotationId = marker.annotationId;
    this.recorded = marker.recorded;
    this.time = marker.time;
    this.endTime = marker.endTime;
    this.registerOutputs({
      annotationId: this.annotationId,
      recorded: this.recorded,
      time: this.time,
      endTime: this.endTime,
    });
  }
}

/** Only `per` is never an output. */
const requireKnown = withPrintableFailures((name: string, args: DeploymentAnnotationArgs): void =>
  requireArguments(`DeploymentAnnotation "${name}"`, args, {
    ...formsOf(deploymentAnnotationDefinition),
    commit: undefined,
  }),
);

/** Backends that know no organizations call every one "organization"; a unit test need not name one. */
function readOrganization(): string | undefined {
  try {
    const name = pulumi.getOrganization();
    return name === "organization" ? undefined : name;
  } catch {
    return undefined; // the SDK throws where there is none
  }
}
