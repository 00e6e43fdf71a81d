import * as pulumi from "@pulumi/pulumi";
import { storedProvider, typeToken } from "../dynamic/strings";
import { requireDirectDependency } from "./directDependency";

/** What the value of a query must be: at least one bound, and all that are given must hold. */
export interface ExpectArgs {
  /** A column, whose value must hold in every row. Left out, the answer must be a single value. */
  column?: pulumi.Input<string | undefined>;
  min?: pulumi.Input<number | undefined>;
  max?: pulumi.Input<number | undefined>;
  equals?: pulumi.Input<string | number | boolean | undefined>;
  /** Both ends included. */
  between?: pulumi.Input<[number, number] | undefined>;
}

/** The arguments of a `QueryGate`. Durations are short (`15s`, `5m`, `1h`) or ISO 8601 (`PT15S`). */
export interface QueryGateArgs {
  /** The query; it names its dataset itself. Messages show it: put no secret into it. */
  apl: pulumi.Input<string>;
  /**
   * The times of the query, sent as they are. The documented interface does not show their form; the public service takes
   * RFC 3339 instants and `now-5m`, which moves on from attempt to attempt.
   */
  startTime: pulumi.Input<string>;
  endTime: pulumi.Input<string>;
  /** What its value must be. */
  expect: pulumi.Input<ExpectArgs>;
  /** The wait between two attempts. Default `15s`. */
  every?: pulumi.Input<string | undefined>;
  /** How long to go on until it passes. Default `5m`. */
  for?: pulumi.Input<string | undefined>;
  /** For how long the value must hold at every attempt. Left out, the first attempt that passes is enough. */
  settle?: pulumi.Input<string | undefined>;
  /** What no data means. Default `fail`. */
  noData?: pulumi.Input<"fail" | "pass" | undefined>;
  /**
   * What the gate guards, at least one value: an image's digest, a commit. A change evaluates it again, as does a change
   * of the query or of its bounds. Without one it would pass for ever on one old answer.
   */
  triggers: pulumi.Input<Record<string, pulumi.Input<string | number | boolean>>>;
}

/**
 * Stops an update when the data says that it went wrong. Runs a query after all that it depends on, until its value is
 * within the bounds, and fails when the time is over; what depends on it is then not touched. No data, an error and a
 * partial result do not pass. A preview evaluates nothing.
 *
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
export class QueryGate extends pulumi.CustomResource {
  /** The value that passed: a single one, or those of the column, the first hundred of them. None if there was no data. */
  declare readonly value: pulumi.Output<
    string | number | boolean | null | (string | number | boolean | null)[] | undefined
  >;
  /** How many attempts it took. */
  declare readonly attempts: pulumi.Output<number>;
  /** When it passed. */
  declare readonly passedAt: pulumi.Output<string>;

  /** @throws Error if the program does not depend on this package directly */
  constructor(name: string, args: QueryGateArgs, options: pulumi.CustomResourceOptions = {}) {
    requireDirectDependency("QueryGate");
    const properties = {
      name,
      apl: args.apl,
      startTime: args.startTime,
      endTime: args.endTime,
      expect: args.expect,
      every: args.every,
      for: args.for,
      settle: args.settle,
      noData: args.noData,
      triggers: args.triggers,
      value: undefined,
      attempts: undefined,
      passedAt: undefined,
      __provider: storedProvider("QueryGate"),
    };
    super(typeToken("QueryGate"), name, properties, options);
    if (pulumi.runtime.isDryRun()) void pulumi.log.info("a preview does not evaluate this gate", this);
  }
}
