import { pick } from "../../../framework/compare";
import {
  type ArgsOf,
  defineResource,
  type InputsOf,
  type OutputsOf,
  type StateOf,
} from "../../../framework/definition";
import { boolean, httpUrl, instant, made, names, nonEmptyText, oneOf, text } from "../../../framework/shapes";
import type { OperationName } from "../../../sdk";
import { type AnnotationSpec, annotationFields } from "../../../sdk/resources/annotationFields";

export interface Target {
  readonly project: string;
  readonly stack: string;
  /** Absent if the backend has no organizations. */
  readonly organization?: string;
}

/** Whether each commit or each run gets an annotation of its own. */
export type Per = "commit" | "run";

interface Fields extends Pick<AnnotationSpec, "datasets" | "title" | "description" | "type" | "url"> {}

const client = pick(annotationFields, ["datasets", "title", "description", "type", "url"]);

export const deploymentAnnotationDefinition = defineResource<Fields, OperationName>({ client, replaces: false })({
  name: "DeploymentAnnotation",
  module: "v1/deployment-annotation",
  operations: { create: "annotations.create" },
  fields: { datasets: { is: names, required: true } },
  properties: {
    /**
     * Title. Axiom accepts up to 256 characters.
     * @default project, stack and commit
     */
    title: { is: text, always: true, derives: true },
    /**
     * Description. Axiom accepts up to 512 characters.
     * @default commit, branch, actor, CI run, pull request and stack
     */
    description: { is: text, derives: true },
    /**
     * Kind of annotation.
     * @default "deploy"
     */
    type: { is: text, always: true },
    /**
     * Link that the annotation shows: an `http:` or `https:` address.
     * @default the address of the CI run, or else the commit's page
     */
    url: { is: httpUrl, derives: true },
    /**
     * The deployed commit. Declare it where neither the CI system nor git knows it, such as in a container without a checkout.
     * @default the commit that the CI system reports, or else git
     */
    commit: { is: text, replaces: true },
    /**
     * When to create a new annotation. `commit`: for each new commit; if the commit is not known, for each CI run; if neither is
     * known, only once. `run`: for each CI run, and outside CI for each update.
     * @default "commit"
     */
    per: { is: oneOf<Per>("commit", "run"), replaces: true },
    /**
     * The outcome if the annotation could not be recorded. `true`: the update fails, and the next update sends the annotation again,
     * so there can be two. `false`: you get a warning, and the annotation is not sent later. If the service refuses the annotation
     * for good, the update fails in either case.
     * @default false
     */
    required: { is: boolean },
    /** The stack. Absent in the plugin, which knows it from the URN. */
    target: { is: made<Target>(), kind: "hint" },
    /**
     * When the program started; unknown in a preview. It differs in every run; the time of the create is kept. Absent in the
     * plugin, which starts with the update itself.
     */
    startedAt: { is: instant, kind: "hint" },
    /** The deployed commit or run. Only a change of this value creates another annotation. */
    trigger: { is: nonEmptyText, kind: "hint", always: true, replaces: true, derives: true },
    /** Id of the annotation. Empty unless `recorded` is true. */
    annotationId: { is: text, kind: "output" },
    /**
     * Whether the annotation is recorded; `"unknown"` if it may have arrived. An annotation that is not recorded is not sent again.
     * @asType union
     */
    recorded: { is: made<boolean | "unknown">(), kind: "output", always: "output" },
    /** Start of the range: an RFC 3339 timestamp. */
    time: { is: text, kind: "output", always: "output" },
    /** End of the range: an RFC 3339 timestamp. */
    endTime: { is: text, kind: "output", always: "output" },
  },
  insteadOfImport: "there is nothing to import",
});

/** The arguments of a `DeploymentAnnotation`. Missing texts are generated from the CI system or from git. */
export interface DeploymentAnnotationArgs extends ArgsOf<typeof deploymentAnnotationDefinition> {}

/** The inputs of a deployment's annotation, completed from the CI system or from git. */
export interface DeploymentAnnotationInputs extends InputsOf<typeof deploymentAnnotationDefinition> {}
export interface DeploymentAnnotationState extends StateOf<typeof deploymentAnnotationDefinition> {}
export interface DeploymentAnnotationOutputs extends OutputsOf<typeof deploymentAnnotationDefinition> {}
