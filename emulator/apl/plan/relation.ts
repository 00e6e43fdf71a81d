import type { ScalarType } from "../ast";

/** What a column of a summary is: a bin of time, another key, or an aggregation. */
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
}

export interface OrderKey {
  readonly sql: string;
  readonly desc: boolean;
  readonly nulls: "first" | "last";
  readonly name: string | undefined;
}

/** What tells one event from another; lost when rows are summarized. */
export interface RowIdentity {
  readonly time: string;
  readonly sysTime: string;
  readonly sequence: string;
}

/** The rows after an operator: where they are in SQL, and what the query calls their columns. */
export interface Relation {
  /** A table or a WITH step. It may have more columns than the query still sees. */
  readonly from: string;
  readonly columns: readonly Column[];
  readonly identity?: RowIdentity;
  readonly order: readonly OrderKey[];
  /** Tells rows of one event apart: the item's number, once a list has been expanded. */
  readonly ties?: readonly string[];
  /** A field that no row has yet is null rather than a mistake: true until the query names its columns. */
  readonly open: boolean;
  /** A limit was asked for, so that the default one does not apply. */
  readonly limited: boolean;
  /** Rows are groups of a summary. */
  readonly summary: boolean;
}

export const orderBy = (keys: readonly OrderKey[]): string =>
  keys.length === 0
    ? ""
    : ` ORDER BY ${keys.map(({ sql, desc, nulls }) => `${sql} ${desc ? "DESC" : "ASC"} NULLS ${nulls.toUpperCase()}`).join(", ")}`;

/** The order asked for; events without one come newest first, and ties keep one order in every run. */
export function fullOrder({ order, identity, ties = [] }: Relation): readonly OrderKey[] {
  const key = (sql: string, desc: boolean, name?: string): OrderKey => ({ sql, name, desc, nulls: "last" });
  const items = ties.map((sql) => key(sql, false));
  if (!identity) return [...order, ...items];
  const desc = !(order[0]?.sql === identity.time && !order[0].desc);
  const given = order.length > 0 ? order : [key(identity.time, desc, "_time")];
  return [...given, key(identity.sequence, desc), ...items];
}
