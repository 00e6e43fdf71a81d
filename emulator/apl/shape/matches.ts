import type { DuckDBTimestampValue, DuckDBValue } from "@duckdb/node-api";
import type { Position } from "../plan/context";
import { identityColumns, type Relation } from "../plan/relation";
import { formatInstant } from "../time";
import { rowId } from "./cursor";
import { fromSql } from "./values";

type SqlRow = readonly DuckDBValue[];

/** The number of columns that identify a row; they precede the columns that the query shows. */
export const identityWidth = ({ identity }: Relation): number => (identity ? identityColumns(identity).length : 0);

export function position(relation: Relation, row: SqlRow | undefined): Position | undefined {
  if (!relation.identity || !row) return undefined;
  const [time, , sequence, source] = row;
  return {
    micros: (time as DuckDBTimestampValue).micros,
    sequence: BigInt(sequence as bigint),
    source: BigInt(source as bigint),
  };
}

/** Events. The query can change `_time`; a row that is not an event has the time of the query. */
export function matches(relation: Relation, rows: readonly SqlRow[], now: bigint) {
  const width = identityWidth(relation);
  const { columns } = relation;
  return rows.map((row, n) => {
    const values = columns.map(({ name, type }, i) => [name, fromSql(row[width + i], type)] as const);
    const place = position(relation, row) ?? { micros: now, sequence: BigInt(n + 1), source: 0n };
    const time = columns.find(({ name, type }) => name === "_time" && type === "datetime");
    const shown = time && row[width + columns.indexOf(time)];
    const sysTime = relation.identity ? (row[1] as DuckDBTimestampValue).micros : now;
    return {
      _rowId: rowId(place),
      _sysTime: formatInstant(sysTime),
      _time: formatInstant(shown ? (shown as DuckDBTimestampValue).micros : place.micros),
      data: Object.fromEntries(values.filter(([name]) => name !== "_time" && name !== "_sysTime")),
    };
  });
}
