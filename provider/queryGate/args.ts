import type * as pulumi from "@pulumi/pulumi";
import type { OptionalInputs } from "../../framework/program/inputs";
import type { Expectation } from "./expectation";

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
