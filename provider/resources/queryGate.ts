import * as pulumi from "@pulumi/pulumi";
import type { Expectation } from "../lifecycle/gate/expectation";
import type { QueryGateInputs, QueryGateState } from "../lifecycle/gate/queryGate";
import { type OutputsOf, type PropertyTable, registrationOf } from "./eventDatasetsResource";
import { findSecretInputs } from "./hints";
import type { OptionalInputs } from "./inputs";

/** What the value of a query must be: at least one bound, and all that are given must hold. */
export type ExpectArgs = OptionalInputs<Expectation>;

/** The arguments of a `QueryGate`. Durations are short (`15s`, `5m`, `1h`) or ISO 8601 (`PT15S`). */
export interface QueryGateArgs {
  /** The query; it names its dataset itself. Messages show it, unless it is a secret. */
  apl: pulumi.Input<string>;
  /**
   * The start of the time that the query looks at, sent as it is. The documented interface does not show its form; the
   * public service takes RFC 3339 instants and `now-5m`, which moves on from attempt to attempt.
   */
  startTime: pulumi.Input<string>;
  /** The end of that time, in the same forms. */
  endTime: pulumi.Input<string>;
  /** What its value must be. */
  expect: pulumi.Input<ExpectArgs>;
  /**
   * The wait between two attempts.
   * @default "15s"
   */
  every?: pulumi.Input<string | undefined>;
  /**
   * How long to go on until it passes. Everything counts: waits, queries, and waits for a rate limit.
   * @default "5m"
   */
  for?: pulumi.Input<string | undefined>;
  /** For how long the value must hold at every attempt. Left out, the first attempt that passes is enough. */
  settle?: pulumi.Input<string | undefined>;
  /**
   * What no data means.
   * @default "fail"
   */
  noData?: pulumi.Input<"fail" | "pass" | undefined>;
  /**
   * What the gate guards, at least one value: an image's digest, a commit. A change evaluates it again, as does a change
   * of the query or of its bounds. Without one it would pass for ever on one old answer.
   */
  triggers: pulumi.Input<Record<string, pulumi.Input<string | number | boolean>>>;
}

const properties = {
  name: "made",
  apl: "argument",
  startTime: "argument",
  endTime: "argument",
  expect: "argument",
  every: "argument",
  for: "argument",
  settle: "argument",
  noData: "argument",
  triggers: "argument",
  secretInputs: "made",
  value: "output",
  attempts: "output",
  passedAt: "output",
} as const satisfies PropertyTable<QueryGateArgs, QueryGateInputs, QueryGateState>;

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
export class QueryGate extends pulumi.CustomResource implements OutputsOf<typeof properties> {
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
    super(
      ...registrationOf(
        "QueryGate",
        name,
        properties,
        { ...args, name, secretInputs: findSecretInputs(args) },
        options,
      ),
    );
    if (pulumi.runtime.isDryRun()) void pulumi.log.info("a preview does not evaluate this gate", this);
  }
}
