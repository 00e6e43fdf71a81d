import type { Expression } from "../ast";
import type { Value } from "../types";
import type { Column, Relation } from "./relation";

/** The meaning of names while an expression is planned. */
export interface Scope {
  readonly columns: ReadonlyMap<string, Column>;
  readonly relation: Relation | undefined;
  /** Whether aggregations may be called here; inside one they may not. */
  readonly aggregates: boolean;
  /** Whether all text operators respect case. */
  readonly caseSensitive?: boolean;
  /** Called with every column that an expression uses. */
  noteUse?(column: Column): void;
}

/** Plans an expression in a scope, for the arguments of calls and aggregations. */
export type PlanInner = (scope: Scope, node: Expression) => Value;

export const scopeOf = (relation: Relation): Scope => ({
  columns: new Map(relation.columns.map((column) => [column.name, column])),
  relation,
  aggregates: false,
});

/** The scope without rows: a let, or the argument of take. */
export const constantScope: Scope = { columns: new Map(), relation: undefined, aggregates: false };

/** Finds a column by name, and notes its use. */
export function findColumn(scope: Scope, name: string): Column | undefined {
  const column = scope.columns.get(name);
  if (column) scope.noteUse?.(column);
  return column;
}
