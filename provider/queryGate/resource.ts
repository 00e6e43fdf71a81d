import * as pulumi from "@pulumi/pulumi";
import { type OutputsOf, register } from "../../framework/program/registration";
import { thisPackage } from "../strings";
import type { QueryGateArgs } from "./args";
import { queryGateDefinition } from "./definition";
import type { Expectation } from "./expectation";

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
export class QueryGate extends pulumi.CustomResource implements OutputsOf<typeof queryGateDefinition> {
  /** Query, as declared. */
  declare readonly apl: pulumi.Output<string>;
  /** Start of the time range, as declared. */
  declare readonly startTime: pulumi.Output<string>;
  /** End of the time range, as declared. */
  declare readonly endTime: pulumi.Output<string>;
  /** Bounds of the value, as declared. */
  declare readonly expect: pulumi.Output<Expectation>;
  /** Pause between two attempts, as declared. */
  declare readonly every: pulumi.Output<string | undefined>;
  /** Overall time limit, as declared. */
  declare readonly for: pulumi.Output<string | undefined>;
  /** How long the bounds had to hold, as declared. */
  declare readonly settle: pulumi.Output<string | undefined>;
  /** Whether a query without data passes, as declared. */
  declare readonly noData: pulumi.Output<"fail" | "pass" | undefined>;
  /** Whether a result with a warning passes, as declared. */
  declare readonly warnings: pulumi.Output<"show" | "fail" | undefined>;
  /** Trigger values, as declared. */
  declare readonly triggers: pulumi.Output<Record<string, string | number | boolean>>;
  /**
   * The value that passed: a single value, or the first hundred values of the column. Empty if there was no data.
   * @asType union
   */
  declare readonly value: pulumi.Output<
    string | number | boolean | null | (string | number | boolean | null)[] | undefined
  >;
  /**
   * Number of attempts.
   * @asType integer
   */
  declare readonly attempts: pulumi.Output<number>;
  /** Time at which the gate passed: an RFC 3339 timestamp. */
  declare readonly passedAt: pulumi.Output<string>;

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
