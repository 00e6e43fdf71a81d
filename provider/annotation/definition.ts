import { defineResource } from "../../framework/definition";
import type { AnnotationSpec } from "../../sdk";
import { sightingMembers } from "../strings";
import type { AnnotationArgs } from "./args";
import type { AnnotationInputs, AnnotationState } from "./model";

/** The fields whose declared values are recorded: the compiler rejects a missing one, which would not be encrypted. */
const recordedFields = {
  datasets: true,
  title: true,
  description: true,
  type: true,
  time: true,
  endTime: true,
  url: true,
} as const satisfies Record<keyof AnnotationSpec, true>;

export const annotationDefinition = defineResource<AnnotationArgs, AnnotationInputs, AnnotationState>()({
  name: "Annotation",
  module: "dynamic/v1/annotation",
  properties: {
    datasets: { kind: "argument", required: true, replaces: "sometimes" },
    title: { kind: "argument", replaces: "sometimes" },
    description: { kind: "argument", replaces: "sometimes" },
    type: { kind: "argument", replaces: "sometimes" },
    time: { kind: "argument", replaces: "sometimes", computed: true },
    endTime: { kind: "argument", replaces: "sometimes" },
    url: { kind: "argument", replaces: "sometimes" },
    triggers: { kind: "argument", replaces: true },
    retain: { kind: "argument" },
    key: { kind: "hint" },
    secretInputs: { kind: "hint" },
    record: {
      kind: "record",
      members: { ...sightingMembers, timeTaken: ["time"], declared: Object.keys(recordedFields) },
    },
  },
  // A time that left the program stays the time of the annotation.
  secretPaths: [{ hint: "time", path: ["record", "timeTaken"] }],
  insteadOfImport: "look the annotation up with Annotation.get",
});
