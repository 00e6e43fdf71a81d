import { type Catalog, type DatasetInfo, emptyDataset, type Field, migration, systemColumns } from "../catalog";
import type { Connection } from "../duckdb";
import { QueryError } from "../errors";
import { quote, timestamp } from "../sql";
import { cast, sqlTypes, unify } from "../types";
import { EventError } from "./failure";
import { type Incoming, type IncomingField, maxFields } from "./source";

/** Adds rows to the dataset; resolves to their number. */
export type Add = (incoming: Incoming) => Promise<number>;

/** Adds rows to a dataset, and creates it if needed: everything that `work` adds, or nothing. */
export async function writeDataset<T>(
  connection: Connection,
  catalog: Catalog,
  name: string,
  now: bigint,
  work: (add: Add) => Promise<T>,
): Promise<T> {
  let dataset = catalog.get(name);
  const result = await connection.transaction(() =>
    work(async (incoming) => {
      await refuseBadTimes(connection, incoming);
      const before = dataset;
      const after = widen(before ?? emptyDataset(catalog.nextId(), name), incoming.fields);
      for (const statement of migration(before, after, (type) => sqlTypes[type])) await connection.run(statement);
      for (const statement of retypeStatements(before, after)) await connection.run(statement);
      dataset = after;
      return insert(connection, after, incoming, now);
    }),
  );
  if (dataset) catalog.set(dataset);
  return result;
}

async function insert(connection: Connection, dataset: DatasetInfo, incoming: Incoming, now: bigint): Promise<number> {
  const sources = new Map(incoming.fields.map((field) => [field.name, field]));
  const filled = dataset.fields.filter(({ name }) => sources.has(name));
  const columns = [
    systemColumns.time,
    systemColumns.sysTime,
    systemColumns.sequence,
    ...filled.map(({ column }) => column),
  ];
  const last = `(SELECT coalesce(max(${systemColumns.sequence}), 0) FROM ${dataset.table})`;
  const values = [
    incoming.time ? `coalesce(${incoming.time.instant}, ${timestamp(now)})` : timestamp(now),
    timestamp(now),
    `${last} + row_number() OVER ()`,
    ...filled.map((field) => cast(sources.get(field.name) as IncomingField, field.type)),
  ];
  // It returns the number of inserted rows.
  return connection.number(
    `INSERT INTO ${dataset.table} (${columns.join(", ")}) SELECT ${values.join(", ")} FROM ${incoming.from}`,
  );
}

/** Adds new fields at the end, and widens the types of known ones if needed. */
function widen(dataset: DatasetInfo, incoming: readonly IncomingField[]): DatasetInfo {
  const fields: Field[] = [...dataset.fields];
  const places = new Map(fields.map(({ name }, i) => [name, i]));
  for (const { name, type } of incoming) {
    const place = places.get(name);
    const known = place === undefined ? undefined : fields[place];
    if (place === undefined || !known) {
      places.set(name, fields.length);
      fields.push({ name, type, column: `c${fields.length}` });
    } else {
      fields[place] = { ...known, type: unify(known.type, type) };
    }
  }
  if (fields.length > maxFields) throw new QueryError("data", `a dataset has at most ${maxFields} fields`);
  return { ...dataset, fields };
}

function retypeStatements(before: DatasetInfo | undefined, after: DatasetInfo): string[] {
  return (before?.fields ?? []).flatMap((field, ordinal) => {
    const type = after.fields[ordinal]?.type ?? field.type;
    if (type === field.type) return [];
    const using = cast({ sql: field.column, type: field.type }, type);
    return [
      `ALTER TABLE ${after.table} ALTER COLUMN ${field.column} SET DATA TYPE ${sqlTypes[type]} USING ${using}`,
      `UPDATE apl_fields SET type = ${quote(type)} WHERE dataset = ${after.id} AND ordinal = ${ordinal}`,
    ];
  });
}

/** Refuses times that cannot be parsed, or that a response could not show. */
async function refuseBadTimes(connection: Connection, incoming: Incoming): Promise<void> {
  if (incoming.time?.raw === undefined) return;
  const { instant, raw } = incoming.time;
  const read = `${instant} AS instant, ${raw} AS raw`;
  const bad = "raw IS NOT NULL AND (instant IS NULL OR year(instant) NOT BETWEEN 1 AND 9999)";
  const count = await connection.number(`SELECT count(*) FROM (SELECT ${read} FROM ${incoming.from}) WHERE ${bad}`);
  if (count === 0) return;
  const numbered = `SELECT ${read}, row_number() OVER () AS event FROM ${incoming.from}`; // slower, so only after a failure
  const first = await connection.number(`SELECT min(event) FROM (${numbered}) WHERE ${bad}`);
  const others = count === 1 ? "" : ` (and ${count - 1} more)`;
  throw new EventError(first, `the time is not a valid instant${others}`);
}
