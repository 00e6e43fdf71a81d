import * as v from "valibot";
import type { ResponseSchema } from "../../values/responseSchema";
import { anyObject, flag, integer, list, type ObjectOf, object, optional, text } from "./members";
import type { Order } from "./request";
import type { QueryValue } from "./values";

/** A column of a table. */
export interface TableField extends ObjectOf<typeof tableField> {}
const tableField = {
  /** Name of the column. */
  name: text,
  /** Type of the column, as the service names it. */
  type: optional(text),
  /** How the values of the column were computed. */
  agg: optional(anyObject),
};

const named = {
  /** Name of the dataset or field. */
  name: text,
};

const range = {
  /** Field that holds the time. */
  field: text,
  /** Start of the range. */
  start: text,
  /** End of the range. */
  end: text,
};

const intervals = {
  /** Field that the intervals divide. */
  field: text,
  /** Length of an interval; its unit is not documented. */
  size: integer,
};

/** Rows, stored by column (extended interface, "Queries"). */
export interface Table extends ObjectOf<typeof table> {}
const table = {
  /** Name of the table; `_totals` is the table with the totals. */
  name: text,
  /** Datasets that the rows come from. */
  sources: list(object(named)),
  /** Columns in order. */
  fields: list<TableField>(object(tableField)),
  /** Sort keys, the most significant first. */
  order: list<Order>(object({ field: text, desc: optional(flag) })),
  /** Fields that the rows are grouped by. */
  groups: list(object(named)),
  /** Time range of the rows. */
  range: optional(object(range)),
  /** Intervals of the rows. */
  buckets: optional(object(intervals)),
  /** A list of values for each column. */
  columns: list(v.custom<readonly QueryValue[]>(Array.isArray, "an array")),
};

/** Tables whose columns have one value for each row. */
export const tables: ResponseSchema<readonly Table[]> = v.array(
  v.pipe(
    object(table),
    v.check(
      ({ fields, columns }) =>
        columns.length === 0 || (columns.length === fields.length && new Set(columns.map((c) => c.length)).size === 1),
      "one column of the same length for each field",
    ),
  ),
);
