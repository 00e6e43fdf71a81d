import type { Expression } from "../ast";
import type { Value } from "../types";
import type { Column, Relation } from "./relation";

/** The meaning of names while an expression is planned. */
export interface Scope {
  readonly columns: ReadonlyMap<string, Column>;
  readonly relation: Relation | undefined;
  /** Whether aggregations may be called here; inside one they may not. */
  readonly aggregates: boolean;
  /** Whether text operators mind the case of letters even where they are not written so. */
  readonly caseSensitive?: boolean;
  /** Hears of every column that an expression uses. */
  noteUse?(column: Column): void;
}

/** Plans an expression in a scope: how calls and aggregations plan their arguments. */
export type PlanInner = (scope: Scope, node: Expression) => Value;

export const scopeOf = (relation: Relation): Scope => ({
  columns: new Map(relation.columns.map((column) => [column.name, column])),
  relation,
  aggregates: false,
});

/** Where no row is at hand: a let, the argument of take. */
export const constantScope: Scope = { columns: new Map(), relation: undefined, aggregates: false };

/** The column of a name, which from now on counts as used. */
export function findColumn(scope: Scope, name: string): Column | undefined {
  const column = scope.columns.get(name);
  if (column) scope.noteUse?.(column);
  return column;
}
