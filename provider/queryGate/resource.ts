import * as pulumi from "@pulumi/pulumi";
import { register } from "../../framework/program/registration";
import { thisPackage } from "../strings";
import { type QueryGateArgs, type QueryGateOutputs, queryGateDefinition } from "./definition";

export interface QueryGate extends QueryGateOutputs {}

/**
 * Stops an update if the value of a query is out of bounds. The query runs after all dependencies of the gate, and again until
 * its value is within the bounds. After the time limit the gate fails, and the resources that depend on it are not changed.
 * Missing data, an error, a partial or estimated result and a result with an error message do not pass. A preview does not
 * evaluate the gate.
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
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the SDK assigns the outputs
export class QueryGate extends pulumi.CustomResource {
  /** @throws Error if the program does not depend on this package directly */
  constructor(name: string, args: QueryGateArgs, options: pulumi.CustomResourceOptions = {}) {
    using registration = register(thisPackage, queryGateDefinition, { name, args, options });
    try {
      super(...registration.args);
    } catch (failure) {
      throw registration.complete(failure);
    }
    if (pulumi.runtime.isDryRun()) void pulumi.log.info("a preview does not evaluate this gate", this);
  }
}
