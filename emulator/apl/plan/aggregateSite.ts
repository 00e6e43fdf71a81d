import type { Expression } from "../ast";
import { nullValue, type Value } from "../types";
import type { Context } from "./context";
import type { Scope } from "./scope";

/** The input of an aggregation. */
export interface AggregateSite {
  readonly context: Context;
  readonly at: number;
  readonly name: string;
  readonly values: readonly Value[];
  readonly expressions: readonly Expression[];
  /** SQL after each aggregate: the FILTER clause of the …if forms, with further conditions if any. */
  filter(condition?: string): string;
  /** SQL in an aggregate whose result has an order. */
  readonly order: string;
  /** SQL that selects the first event among equal ones. */
  tie(name: "arg_min" | "arg_max"): string;
  /** Seconds that a row of the summary covers. */
  readonly seconds: number;
}

export const firstOf = ({ values }: AggregateSite): Value => values[0] ?? nullValue;

export interface AggregateSpec {
  readonly params: readonly [least: number, most: number];
  sql(site: AggregateSite): Value;
}

/** The length of a bin of the current summary, if it has bins. */
export interface SummaryScope extends Scope {
  readonly binMicros?: bigint;
  /** Adds an aggregation inside an expression to the summary, and returns its column. */
  hoist?(value: Value): Value;
}
