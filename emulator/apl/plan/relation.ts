import type { ScalarType } from "../ast";

/** The role of a column of a summary: a bin of time, another key, or an aggregation. */
export type Role =
  | { readonly kind: "bin"; readonly field: string; readonly micros: bigint }
  | { readonly kind: "key" }
  | {
      readonly kind: "aggregation";
      readonly op: string;
      readonly fields: readonly string[];
      readonly args: readonly unknown[];
    };

export interface Column {
  readonly name: string;
  /** Its name in SQL, never taken from the data. */
  readonly sql: string;
  readonly type: ScalarType;
  readonly role?: Role;
  /** Whether a real is known to be a number (not NaN), as in events. */
  readonly isNumber?: boolean;
}

export interface OrderKey {
  readonly sql: string;
  readonly desc: boolean;
  readonly nulls: "first" | "last";
  readonly name: string | undefined;
}

/** Identifies each row of events, and orders the rows. Summaries have none. */
export interface RowIdentity {
  readonly time: string;
  readonly sysTime: string;
  /** The event's place in its dataset. */
  readonly sequence: string;
  /** The dataset and the number of the scan: two datasets have the same positions, and a query can read a dataset twice. */
  readonly source: string;
}

/**
 * The meaning of a field that the rows lack: null in a dataset that has no field yet, an invalid field in any other, as in the service,
 * and an error that lists the columns after the query has named them.
 */
export type UnknownField = "null" | "invalid" | "listed";

/** The meaning in the rows of several relations: the least strict one. */
export const unknownIn = (relations: readonly Pick<Relation, "unknown">[]): UnknownField =>
  (["null", "invalid"] as const).find((meaning) => relations.some(({ unknown }) => unknown === meaning)) ?? "listed";

/** The rows after an operator: their SQL, and the names of their columns in the query. */
export interface Relation {
  /** A table or a WITH step. It may have more columns than the query still sees. */
  readonly from: string;
  readonly columns: readonly Column[];
  readonly identity?: RowIdentity;
  readonly order: readonly OrderKey[];
  /** Distinguishes rows without identity: the keys of groups, or the item number after an expansion. */
  readonly ties?: readonly string[];
  readonly unknown: UnknownField;
  /** Whether the query has a limit; otherwise the default applies. */
  readonly limited: boolean;
  /** Whether the rows are groups of a summary. */
  readonly summary: boolean;
}

/** Rows without an order, whose fields are all known. */
export const rowsOf = (from: string, columns: readonly Column[], more: Partial<Relation> = {}): Relation => ({
  from,
  columns,
  order: [],
  unknown: "listed",
  limited: false,
  summary: false,
  ...more,
});

/** The role of an aggregation; by default, of an expression over aggregations. */
export const aggregationOf = (
  op = "expression",
  fields: readonly string[] = [],
  args: readonly unknown[] = [],
): Role => ({ kind: "aggregation", op, fields, args });

export const orderBy = (keys: readonly OrderKey[]): string =>
  keys.length === 0
    ? ""
    : ` ORDER BY ${keys.map(({ sql, desc, nulls }) => `${sql} ${desc ? "DESC" : "ASC"} NULLS ${nulls.toUpperCase()}`).join(", ")}`;

/** New names for the identity of rows. */
export const freshIdentity = (fresh: () => string): RowIdentity => ({
  time: fresh(),
  sysTime: fresh(),
  sequence: fresh(),
  source: fresh(),
});

/** The columns of an identity, in the order in which they begin each row of the result. */
export const identityColumns = (of: RowIdentity): readonly string[] => [of.time, of.sysTime, of.sequence, of.source];

/** Whether the result is ordered by time alone, oldest or newest first. */
export const isByTime = ({ order, identity }: Relation): boolean =>
  identity !== undefined && (order.length === 0 || (order.length === 1 && order[0]?.sql === identity.time));

export const isOldestFirst = ({ order, identity }: Pick<Relation, "order" | "identity">): boolean =>
  order[0] !== undefined && order[0].sql === identity?.time && !order[0].desc;

/** The requested order; events are newest first by default, and ties have the same order in every run. */
export function fullOrder({ order, identity, ties = [] }: Relation): readonly OrderKey[] {
  const key = (sql: string, desc: boolean, name?: string): OrderKey => ({ sql, name, desc, nulls: "last" });
  const items = ties.map((sql) => key(sql, false));
  if (!identity) return [...order, ...items];
  const desc = !isOldestFirst({ order, identity });
  const given = order.length > 0 ? order : [key(identity.time, desc, "_time")];
  return [...given, key(identity.sequence, desc), key(identity.source, desc), ...items];
}

/** The rows with more columns. A new column takes the place of an old one of the same name. */
export function addColumns(input: Relation, from: string, added: readonly Column[]): Relation {
  const columns = new Map([...input.columns, ...added].map((column) => [column.name, column]));
  return { ...input, from, columns: [...columns.values()] };
}

/**
 * Keeps the order of a relation after an operator that can turn a row into several, which a column then distinguishes. These
 * rows are not events.
 */
export function multiply(relation: Relation, place: string): Relation {
  const { identity: _, ...rest } = relation;
  const order = fullOrder({ ...relation, ties: [] }).map((key) =>
    relation.order.includes(key) ? key : { ...key, name: undefined },
  );
  return { ...rest, order, ties: [...(relation.ties ?? []), place] };
}
