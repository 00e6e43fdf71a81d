import { defineResource } from "../../framework/definition";
import type { QueryGateArgs } from "./args";
import type { QueryGateInputs, QueryGateState } from "./inputs";

export const queryGateDefinition = defineResource<QueryGateArgs, QueryGateInputs, QueryGateState>()({
  name: "QueryGate",
  module: "dynamic/v1/query-gate",
  properties: {
    apl: { kind: "argument" },
    startTime: { kind: "argument" },
    endTime: { kind: "argument" },
    expect: { kind: "argument" },
    every: { kind: "argument" },
    for: { kind: "argument" },
    settle: { kind: "argument" },
    noData: { kind: "argument" },
    triggers: { kind: "argument" },
    key: { kind: "hint" },
    secretInputs: { kind: "hint" },
    value: { kind: "output", computed: true, derivesFrom: ["apl", "startTime", "endTime", "expect"] },
    attempts: { kind: "output", computed: true },
    passedAt: { kind: "output", computed: true },
  },
  insteadOfImport: "there is nothing to import",
});
