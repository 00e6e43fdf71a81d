import { defineResource } from "../../framework/definition";
import type { AnnotationArgs } from "./args";
import type { AnnotationInputs, AnnotationState } from "./model";

export const annotationDefinition = defineResource<AnnotationArgs, AnnotationInputs, AnnotationState>()({
  name: "Annotation",
  module: "dynamic/v1/annotation",
  properties: {
    datasets: { kind: "argument", required: true, replaces: "sometimes" },
    title: { kind: "argument", replaces: "sometimes" },
    description: { kind: "argument", replaces: "sometimes" },
    type: { kind: "argument", replaces: "sometimes" },
    time: { kind: "argument", replaces: "sometimes", computed: true, derives: true },
    endTime: { kind: "argument", replaces: "sometimes" },
    url: { kind: "argument", replaces: "sometimes" },
    triggers: { kind: "argument", replaces: true },
    retain: { kind: "argument" },
    key: { kind: "hint" },
    secretInputs: { kind: "hint" },
    record: { kind: "record", plain: ["drifted"] },
  },
  insteadOfImport: "look the annotation up with Annotation.get",
});
