import * as pulumi from "@pulumi/pulumi";
import { type OutputsOf, register } from "../../framework/program/registration";
import { thisPackage } from "../strings";
import type { QueryGateArgs } from "./args";
import { queryGateDefinition } from "./definition";
import type { Expectation } from "./expectation";

/**
 * Stops an update when the data says that it went wrong. Runs a query after all that it depends on, until its value is
 * within the bounds, and fails when the time is over; what depends on it is then not touched. No data, an error, a
 * partial or estimated result and an answer that comes with an error message do not pass. A preview evaluates nothing.
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
  /** The query, as declared. */
  declare readonly apl: pulumi.Output<string>;
  /** The start of the time that it looks at, as declared. */
  declare readonly startTime: pulumi.Output<string>;
  /** The end of that time, as declared. */
  declare readonly endTime: pulumi.Output<string>;
  /** The bounds, as declared. */
  declare readonly expect: pulumi.Output<Expectation>;
  /** The wait between two attempts, as declared. */
  declare readonly every: pulumi.Output<string | undefined>;
  /** The time limit, as declared. */
  declare readonly for: pulumi.Output<string | undefined>;
  /** For how long the value had to hold, as declared. */
  declare readonly settle: pulumi.Output<string | undefined>;
  /** What no data means, as declared. */
  declare readonly noData: pulumi.Output<"fail" | "pass" | undefined>;
  /** The values that it was evaluated for. */
  declare readonly triggers: pulumi.Output<Record<string, string | number | boolean>>;
  /** The value that passed: a single one, or those of the column, the first hundred of them. None if there was no data. */
  declare readonly value: pulumi.Output<
    string | number | boolean | null | (string | number | boolean | null)[] | undefined
  >;
  /** How many attempts it took. */
  declare readonly attempts: pulumi.Output<number>;
  /** When it passed: an RFC 3339 instant. */
  declare readonly passedAt: pulumi.Output<string>;

  /** @throws Error if the program does not depend on this package directly */
  constructor(name: string, args: QueryGateArgs, options: pulumi.CustomResourceOptions = {}) {
    using registration = register(thisPackage, queryGateDefinition, { name, args, options });
    super(...registration.args);
    if (pulumi.runtime.isDryRun()) void pulumi.log.info("a preview does not evaluate this gate", this);
  }
}
