import type { Expression } from "../ast";
import type { Value } from "../types";
import type { Context } from "./context";
import type { Scope } from "./scope";

/** The input of an aggregation. */
export interface AggregateSite {
  readonly context: Context;
  readonly at: number;
  readonly name: string;
  readonly values: readonly Value[];
  readonly expressions: readonly Expression[];
  /** SQL after each aggregate: the FILTER clause of the …if forms, with further conditions if need be. */
  filter(condition?: string): string;
  /** SQL in an aggregate whose result has an order. */
  readonly order: string;
  /** SQL that makes the first event the one that counts, among those that compare alike. */
  tie(name: "arg_min" | "arg_max"): string;
  /** Seconds that a row of the summary covers. */
  readonly seconds: number;
}

export interface AggregateSpec {
  readonly params: readonly [least: number, most: number];
  sql(site: AggregateSite): Value;
}

/** How long a bin of the summary in the making is, if it has one. */
export interface SummaryScope extends Scope {
  readonly binMicros?: bigint;
  /** Takes an aggregation that is part of an expression, and answers with the column that will hold it. */
  hoist?(value: Value): Value;
}
