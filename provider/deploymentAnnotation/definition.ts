import { defineResource } from "../../framework/definition";
import type { DeploymentAnnotationArgs } from "./args";
import type { DeploymentAnnotationInputs, DeploymentAnnotationState } from "./model";

export const deploymentAnnotationDefinition = defineResource<
  DeploymentAnnotationArgs,
  DeploymentAnnotationInputs,
  DeploymentAnnotationState
>()({
  name: "DeploymentAnnotation",
  module: "dynamic/v1/deployment-annotation",
  properties: {
    datasets: { kind: "argument", required: true },
    title: { kind: "argument", derives: true },
    description: { kind: "argument", derives: true },
    type: { kind: "argument" },
    url: { kind: "argument", derives: true },
    required: { kind: "argument" },
    commit: { kind: "source", form: "a string", replaces: true },
    per: { kind: "source", form: ["commit", "run"], replaces: true },
    startedAt: { kind: "hint" },
    trigger: { kind: "hint", replaces: true, derives: true },
    key: { kind: "hint" },
    secretInputs: { kind: "hint" },
    annotationId: { kind: "output", computed: true },
    recorded: { kind: "output", computed: true },
    time: { kind: "output", computed: true },
    endTime: { kind: "output", computed: true },
  },
  component: true,
  insteadOfImport: "there is nothing to import",
});
