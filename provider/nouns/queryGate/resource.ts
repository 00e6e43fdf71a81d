import * as pulumi from "@pulumi/pulumi";
import { type ResourceClass, resourceClass } from "../../../framework/program/resourceClass";
import { thisPackage } from "../../shared/strings";
import { type QueryGateArgs, type QueryGateOutputs, queryGateDefinition } from "./definition";

export type { Expectation } from "./bounds";
export type { QueryGateArgs };

/**
 * Stops an update if the value of a query is out of bounds. The query runs after all dependencies of the gate, and is repeated
 * until its value is within the bounds. After the time limit the gate fails, and the resources that depend on it are not
 * changed. An error, an unknown field, a partial result, a result with a serious warning from the service and, by default,
 * missing data do not pass. A preview does not evaluate the gate.
 *
 * @example
 * ```ts
 * new QueryGate("errors", {
 *   apl: "['web'] | where status >= 500 | summarize count()",
 *   startTime: "now-5m",
 *   endTime: "now",
 *   expect: { max: 10 },
 *   triggers: { image: canary.imageDigest },
 * }, { dependsOn: canary });
 * ```
 */
export const QueryGate: ResourceClass<QueryGateArgs, QueryGateOutputs> = resourceClass(
  thisPackage,
  queryGateDefinition,
  {
    declared(gate) {
      if (pulumi.runtime.isDryRun()) void pulumi.log.info("a preview does not evaluate this gate", gate);
    },
  },
);
/** The outputs of a `QueryGate`. */
export type QueryGate = InstanceType<typeof QueryGate>;
