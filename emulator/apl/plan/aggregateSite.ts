import type { Expression } from "../ast";
import { cast, nullValue, strictCondition, typedSql, type Value } from "../types";
import type { Context } from "./context";
import type { Relation } from "./relation";
import type { Scope } from "./scope";

/** The input of an aggregation. */
export interface AggregateSite {
  readonly context: Context;
  readonly at: number;
  readonly name: string;
  readonly values: readonly Value[];
  readonly expressions: readonly Expression[];
  /** SQL after each aggregate: the FILTER clause of forms such as `countif`, with any further conditions. */
  filter(condition?: string): string;
  readonly relation: Relation;
  /** The length of a bin of the summary, if it has bins. */
  readonly binMicros: bigint | undefined;
}

export const firstOf = ({ values }: AggregateSite): Value => values[0] ?? nullValue;

export interface AggregateSpec {
  readonly params: readonly [least: number, most: number];
  sql(site: AggregateSite): Value;
}

export interface SummaryScope extends Scope {
  readonly binMicros?: bigint;
  /** Adds an aggregation inside an expression to the summary, and returns its column. */
  hoist?(value: Value): Value;
}

/** SQL of a struct of values, `f0` and so on, from the row in which a value is least or greatest; the first event among equal ones. */
export function pickRow(
  name: string,
  { identity }: Relation,
  by: Value,
  values: readonly Value[],
  filter: AggregateSite["filter"] = (condition) => ` FILTER (WHERE ${condition})`,
): string {
  const compared = by.type === "dynamic" ? cast(by, "real") : strictCondition(by);
  const row = `struct_pack(${values.map((value, i) => `f${i} := ${typedSql(value)}`).join(", ")})`;
  const tie = identity ? `, ${name === "arg_max" ? "-" : ""}${identity.sequence}` : "";
  return `${name}(${row}, row(${compared}${tie}))${filter(`${compared} IS NOT NULL`)}`;
}
