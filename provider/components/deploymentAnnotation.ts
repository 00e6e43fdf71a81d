import * as pulumi from "@pulumi/pulumi";
import { withPrintableFailures } from "../../sdk/values/printable";
import {
  type Description,
  describeDeployment,
  detectSurroundings,
  onlyTrigger,
  onlyTriggerWarning,
  type Per,
  triggerOf,
} from "../deployment";
import { componentToken } from "../dynamic/strings";
import { requireKnownArguments } from "../lookups/knownArguments";
import { DeploymentMarker } from "../resources/deploymentMarker";

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

const known = {
  datasets: true,
  title: true,
  description: true,
  type: true,
  url: true,
  commit: true,
  per: true,
  required: true,
} satisfies Record<keyof DeploymentAnnotationArgs, true>;

/**
 * Marks a deployment where people look at the data. The range starts with the program and ends when everything that this
 * depends on is done. If a dependency fails there is no annotation; `event-datasets annotate` records failures too.
 *
 * @example
 * ```ts
 * new DeploymentAnnotation("deployed", { datasets: ["web"] }, { dependsOn: [service] });
 * ```
 */
export class DeploymentAnnotation extends pulumi.ComponentResource {
  /** Id of the annotation; none while it is not recorded. */
  readonly annotationId: pulumi.Output<string | undefined>;
  /** `false`: the service was down, the next update sends it. `"unknown"`: it may have arrived. */
  readonly recorded: pulumi.Output<boolean | "unknown">;
  /** Start of the range: an RFC 3339 instant. */
  readonly time: pulumi.Output<string>;
  /** End of the range: an RFC 3339 instant. */
  readonly endTime: pulumi.Output<string>;

  /** @throws Error for an argument that is not known, or if the program does not depend on this package directly */
  constructor(name: string, args: DeploymentAnnotationArgs, options: pulumi.ComponentResourceOptions = {}) {
    requireArguments(name, args);
    super(componentToken("DeploymentAnnotation"), name, {}, options);
    const startedAt = new Date().toISOString();
    const detected = detectSurroundings(process.env, process.cwd());
    const surroundings = pulumi.output(args.commit).apply((commit) => (commit ? { ...detected, commit } : detected));
    const texts = surroundings.apply((at) =>
      describeDeployment(at, `${pulumi.getProject()} to ${pulumi.getStack()}`, [`Pulumi stack ${stackName()}`]),
    );
    const trigger = surroundings.apply((at) => triggerOf(at, args.per ?? "commit", startedAt));
    trigger.apply((text) => {
      if (text !== onlyTrigger) return;
      pulumi.log.warn(onlyTriggerWarning, this);
    });

    const marker = new DeploymentMarker(
      name,
      {
        datasets: args.datasets,
        title: declaredOr(args.title, texts, "title"),
        description: declaredOr(args.description, texts, "description"),
        type: pulumi.output(args.type).apply((type) => type ?? "deploy"),
        url: declaredOr(args.url, texts, "url"),
        startedAt,
        trigger,
        required: args.required,
      },
      { parent: this },
    );
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

const requireArguments = withPrintableFailures((name: string, args: DeploymentAnnotationArgs): void => {
  const subject = `DeploymentAnnotation "${name}"`;
  requireKnownArguments(subject, args, known);
  if (args.per !== undefined && args.per !== null && args.per !== "commit" && args.per !== "run") {
    throw new Error(`${subject}: argument per must be one of commit, run`);
  }
});

/** The user's own text, else the one that was made up. */
const declaredOr = <Key extends keyof Description>(
  declared: pulumi.Input<string | undefined>,
  texts: pulumi.Output<Description>,
  key: Key,
): pulumi.Output<Description[Key]> =>
  pulumi.all([declared, texts]).apply(([text, made]) => (text ?? made[key]) as Description[Key]);

/** Backends that know no organizations call every one "organization"; a unit test need not name one. */
function stackName(): string {
  const parts = [pulumi.getProject(), pulumi.getStack()];
  const organization = readOrganization();
  return (organization === undefined || organization === "organization" ? parts : [organization, ...parts]).join("/");
}

function readOrganization(): string | undefined {
  try {
    return pulumi.getOrganization();
  } catch {
    return undefined; // the SDK throws where there is none
  }
}
