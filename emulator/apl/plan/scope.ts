import type { Column, Relation } from "./relation";

/** What names mean while an expression is planned. */
export interface Scope {
  readonly columns: ReadonlyMap<string, Column>;
  readonly relation: Relation | undefined;
  /** Whether aggregations may be called here; inside one they may not. */
  readonly aggregates: boolean;
}

export const scopeOf = (relation: Relation, aggregates = false): Scope => ({
  columns: new Map(relation.columns.map((column) => [column.name, column])),
  relation,
  aggregates,
});

/** Where no row is at hand: a let, the argument of take. */
export const CONSTANT: Scope = { columns: new Map(), relation: undefined, aggregates: false };
