import type { Call, Expression } from "../ast";
import { literalOf, name as nameNode } from "../nodes";
import type { Value } from "../types";
import type { Context } from "./context";
import type { Column, Relation } from "./relation";

/** The meaning of names while an expression is planned. */
export interface Scope {
  readonly columns: ReadonlyMap<string, Column>;
  readonly relation: Relation | undefined;
  /** Whether aggregations may be called here. They may not be nested. */
  readonly aggregates: boolean;
  /** Whether all text operators respect case. */
  readonly caseSensitive?: boolean;
  /** Adds a column with SQL that uses other rows, and returns the name of the column. */
  lookAround?(sql: string): string;
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

/** The scope of an expression that cannot read a row, such as the value of a let or the argument of take. */
export const constantScope: Scope = { columns: new Map(), relation: undefined, aggregates: false };

/** Finds a column by name, and notes its use. */
export function findColumn(scope: Scope, name: string): Column | undefined {
  const column = scope.columns.get(name);
  if (column) scope.noteUse?.(column);
  return column;
}

/** Fails for a field where only aggregations have values. */
export const requireAggregation = (context: Context, name: string, at: number): never =>
  context.fail("semantic", `"${name}" must be inside an aggregation, such as max(${name})`, at);

/** The functions that can take `*`, which stands for every field, and whether the fields' names come before their values. */
const takesStar: Readonly<Record<string, "values" | "pairs">> = {
  bag_pack: "pairs",
  pack: "pairs",
  pack_dictionary: "pairs",
  pack_array: "values",
  presence: "values",
};

export function expandStar({ relation }: Scope, { name, args }: Call): readonly Expression[] {
  const kind = Object.hasOwn(takesStar, name) ? takesStar[name] : undefined;
  return args.flatMap(({ value }) => {
    if (value.kind !== "star" || !kind || !relation) return value;
    return relation.columns
      .filter((column) => column.name !== "_sysTime")
      .flatMap((column): Expression[] => {
        const field = nameNode(column.name, value.at);
        return kind === "pairs" ? [literalOf(column.name), field] : [field];
      });
  });
}
