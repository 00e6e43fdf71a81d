import { defineResource } from "../../framework/definition";
import type { QueryGateArgs } from "./args";
import type { QueryGateInputs, QueryGateState } from "./inputs";

export const queryGateDefinition = defineResource<QueryGateArgs, QueryGateInputs, QueryGateState>()({
  name: "QueryGate",
  module: "dynamic/v1/query-gate",
  properties: {
    apl: { kind: "argument", required: true },
    startTime: { kind: "argument", required: true },
    endTime: { kind: "argument", required: true },
    expect: { kind: "argument", required: "the bounds of the value, such as { max: 5 }" },
    every: { kind: "argument" },
    for: { kind: "argument" },
    settle: { kind: "argument" },
    noData: { kind: "argument" },
    warnings: { kind: "argument" },
    triggers: {
      kind: "argument",
      required: [
        "a gate is evaluated only when one of them changes; give what is being deployed,",
        "such as { image: canary.imageDigest }",
      ].join(" "),
    },
    key: { kind: "hint" },
    secretInputs: { kind: "hint" },
    value: { kind: "output", computed: true, derives: true },
    attempts: { kind: "output", computed: true, derives: true },
    passedAt: { kind: "output", computed: true },
  },
  insteadOfImport: "there is nothing to import",
});
