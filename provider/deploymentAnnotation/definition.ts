import { defineResource } from "../../framework/definition";
import { sightingMembers } from "../strings";
import type { DeploymentAnnotationArgs } from "./args";
import type { DeploymentAnnotationInputs, DeploymentAnnotationState } from "./model";

/** Arguments that the texts and the trigger are made from, where the program leaves these out. */
const sources = ["commit", "per"] as const;

export const deploymentAnnotationDefinition = defineResource<
  DeploymentAnnotationArgs,
  DeploymentAnnotationInputs,
  DeploymentAnnotationState
>()({
  name: "DeploymentAnnotation",
  module: "dynamic/v1/deployment-annotation",
  properties: {
    datasets: { kind: "argument", required: true },
    title: { kind: "argument", derivesFrom: sources },
    description: { kind: "argument", derivesFrom: sources },
    type: { kind: "argument" },
    url: { kind: "argument", derivesFrom: sources },
    required: { kind: "argument" },
    commit: { kind: "source", form: "a string", replaces: true },
    per: { kind: "source", form: ["commit", "run"], replaces: true },
    startedAt: { kind: "hint" },
    trigger: { kind: "hint", replaces: true, derivesFrom: sources },
    key: { kind: "hint" },
    secretInputs: { kind: "hint" },
    annotationId: { kind: "output", computed: true },
    recorded: { kind: "output", computed: true },
    time: { kind: "output", computed: true },
    endTime: { kind: "output", computed: true },
    record: { kind: "record", members: sightingMembers },
  },
  component: true,
  insteadOfImport: "there is nothing to import",
});
