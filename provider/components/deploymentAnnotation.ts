import * as pulumi from "@pulumi/pulumi";
import { type Description, describeDeployment, detectSurroundings, type Surroundings } from "../deployment";
import { componentToken } from "../dynamic/strings";
import { DeploymentMarker } from "../resources/deploymentMarker";

/** The arguments of a `DeploymentAnnotation`. What is left out is filled in from the CI system, or from git. */
export interface DeploymentAnnotationArgs {
  /** Names of the datasets on which the deployment is marked, at least one. */
  datasets: pulumi.Input<pulumi.Input<string>[]>;
  /** Default: project, stack and commit. */
  title?: pulumi.Input<string | undefined>;
  /** Default: commit, branch, actor, CI run, pull request and stack. */
  description?: pulumi.Input<string | undefined>;
  /** Default `deploy`. */
  type?: pulumi.Input<string | undefined>;
  /** Default: the CI run, or the commit's page. */
  url?: pulumi.Input<string | undefined>;
  /** What is deployed, where neither the CI system nor git says so, for example in a container without a checkout. */
  commit?: pulumi.Input<string | undefined>;
  /**
   * When a new annotation is made. `commit`, the default: when another commit is deployed (without a commit: in another CI
   * run; without one of those, once). `run`: in every CI run, and outside CI in every update.
   */
  per?: "commit" | "run" | undefined;
  /**
   * Whether an annotation that cannot be recorded fails the update. Default false: what was not sent because the service
   * is down is sent by the next update; what may have arrived is not sent again. A refusal fails the update either way.
   */
  required?: pulumi.Input<boolean | undefined>;
}

/**
 * Marks a deployment where people look at the data. The range starts with the program and ends when everything that this
 * depends on is done. If a dependency fails there is no annotation; `event-datasets annotate` records failures too.
 *
 * ```ts
 * new DeploymentAnnotation("deployed", { datasets: ["web"] }, { dependsOn: [service] });
 * ```
 */
export class DeploymentAnnotation extends pulumi.ComponentResource {
  /** Id of the annotation; none while it is not recorded. */
  readonly annotationId: pulumi.Output<string | undefined>;
  /** `false`: the service was down, the next update sends it. `"unknown"`: it may have arrived. */
  readonly recorded: pulumi.Output<boolean | "unknown">;
  /** Start of the range. */
  readonly time: pulumi.Output<string>;
  /** End of the range. */
  readonly endTime: pulumi.Output<string>;

  /** @throws Error if the program does not depend on this package directly */
  constructor(name: string, args: DeploymentAnnotationArgs, options: pulumi.ComponentResourceOptions = {}) {
    super(componentToken("DeploymentAnnotation"), name, {}, options);
    const startedAt = new Date().toISOString();
    const detected = detectSurroundings(process.env, process.cwd());
    const at = pulumi.output(args.commit).apply((commit) => (commit ? { ...detected, commit } : detected));
    const texts = at.apply((known) =>
      describeDeployment(known, `${pulumi.getProject()} to ${pulumi.getStack()}`, [`Pulumi stack ${stackName()}`]),
    );
    const trigger = at.apply((known) => triggerOf(known, args.per ?? "commit", startedAt));
    trigger.apply((known) => {
      if (known !== once) return;
      pulumi.log.warn(
        "neither git nor a CI system says what is deployed, so there will be one annotation and no more: set the argument commit",
        this,
      );
    });

    const marker = new DeploymentMarker(
      name,
      {
        datasets: args.datasets,
        title: given(args.title, texts, "title"),
        description: given(args.description, texts, "description"),
        type: pulumi.output(args.type).apply((type) => type ?? "deploy"),
        url: given(args.url, texts, "url"),
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

const once = "this stack";

/** What is deployed, as the text whose change makes another annotation. */
function triggerOf({ commit, run, system }: Surroundings, per: "commit" | "run", startedAt: string): string {
  const ofRun = run && `${system} run ${run.id}`;
  if (per === "run") return ofRun ?? `this stack at ${startedAt}`;
  return commit ? `commit ${commit}` : (ofRun ?? once);
}

/** The user's own text, else the one that was made. */
const given = <Key extends keyof Description>(
  own: pulumi.Input<string | undefined>,
  texts: pulumi.Output<Description>,
  key: Key,
): pulumi.Output<Description[Key]> =>
  pulumi.all([own, texts]).apply(([text, made]) => (text ?? made[key]) as Description[Key]);

/** Backends that know no organizations call every one "organization". */
function stackName(): string {
  const organization = pulumi.getOrganization();
  const parts = [pulumi.getProject(), pulumi.getStack()];
  return (organization === "organization" ? parts : [organization, ...parts]).join("/");
}
