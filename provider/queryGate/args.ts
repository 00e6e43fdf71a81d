import type * as pulumi from "@pulumi/pulumi";
import type { OptionalInputs } from "../../framework/program/inputs";
import type { Expectation } from "./expectation";

/** Bounds of the value of a query. At least one is required, and all declared bounds must hold. */
export type ExpectArgs = OptionalInputs<Expectation>;

/** The arguments of a `QueryGate`. Durations are short (`15s`, `5m`, `1h`) or ISO 8601 (`PT15S`). */
export interface QueryGateArgs {
  /** Query in the query language, which names its dataset. Messages show the query unless it is a secret. */
  apl: pulumi.Input<string>;
  /**
   * Start of the time range of the query. It is sent unchanged. The documented interface does not show its format; the public
   * service accepts RFC 3339 timestamps and expressions such as `now-5m`, which are evaluated anew at each attempt.
   */
  startTime: pulumi.Input<string>;
  /** End of the time range of the query, in the same formats. */
  endTime: pulumi.Input<string>;
  /** Bounds of the value of the query. */
  expect: pulumi.Input<ExpectArgs>;
  /**
   * Pause between two attempts.
   * @default 15 seconds
   */
  every?: pulumi.Input<string | undefined>;
  /**
   * Overall time limit of the gate, including pauses, queries and waits for a rate limit.
   * @default "5m"
   */
  for?: pulumi.Input<string | undefined>;
  /** How long the bounds must hold at every attempt. Without it, the first attempt that passes is enough. */
  settle?: pulumi.Input<string | undefined>;
  /**
   * Whether a query without data passes the gate.
   * @default "fail"
   */
  noData?: pulumi.Input<"fail" | "pass" | undefined>;
  /**
   * Whether the gate passes on a result with a warning of the service, such as a field that no event has. The gate shows the
   * warnings in any case. With `column` or without data, it never passes on a warning, because rows can be missing.
   * @default "show"
   */
  warnings?: pulumi.Input<"show" | "fail" | undefined>;
  /**
   * Values that identify the guarded deployment, such as an image digest or a commit; at least one. When one of them changes,
   * the gate is evaluated again. A change of the query or of its bounds also evaluates the gate again.
   */
  triggers: pulumi.Input<Record<string, pulumi.Input<string | number | boolean>>>;
}
