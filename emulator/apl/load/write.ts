import { type Catalog, type DatasetInfo, emptyDataset, type Field, migration, systemColumns } from "../catalog";
import type { Connection } from "../duckdb";
import { QueryError } from "../errors";
import { quote, timestamp } from "../sql";
import { cast, sqlTypes, unify } from "../types";
import { type Incoming, type IncomingField, maxFields } from "./source";

/** Adds rows to the dataset, and returns their number. */
export type Add = (incoming: Incoming) => Promise<number>;

/** Adds rows to a dataset, which is created if needed: either everything that `work` adds, or nothing. */
export async function writeDataset<T>(
  connection: Connection,
  catalog: Catalog,
  name: string,
  now: bigint,
  work: (add: Add) => Promise<T>,
): Promise<T> {
  let dataset = catalog.get(name);
  const result = await connection.transaction(() =>
    work(async (given) => {
      const incoming = await findSpans(connection, given);
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

/** Texts that are spans as the service writes them, such as "1.5ms", become spans. Their text stays the same. */
async function findSpans(connection: Connection, incoming: Incoming): Promise<Incoming> {
  const among = async (texts: readonly IncomingField[], limit: string) => {
    if (texts.length === 0) return [];
    // A text that holds no span is seen at its first character, without the cost of reading it.
    const tests = texts.map(
      (_, i) => `bool_and(c${i}[1] IN ('-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9')
      AND apl_span_text(apl_span(c${i})) = c${i})`,
    );
    const columns = texts.map(({ sql }, i) => `${sql} AS c${i}`).join(", ");
    const [row = []] = await connection.values(
      `SELECT ${tests.join(", ")} FROM (SELECT ${columns} FROM ${incoming.from}${limit})`,
    );
    return texts.filter((_, i) => row[i] === true || (limit !== "" && row[i] === null));
  };
  const sample = await among(
    incoming.fields.filter(({ type }) => type === "string"),
    " LIMIT 100",
  );
  const spans = new Set(await among(sample, ""));
  const fields = incoming.fields.map(
    (field): IncomingField => (spans.has(field) ? { ...field, type: "timespan", sql: cast(field, "timespan") } : field),
  );
  return { ...incoming, fields };
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
    incoming.instant ?? timestamp(now),
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
