import type { ScalarType } from "./ast";
import type { Connection } from "./duckdb";
import { QueryError, quoteName } from "./errors";
import { ledgerTable } from "./load/ledger";
import { quote } from "./sql";

/** A field of a dataset. The name of its column is a number, because names in DuckDB ignore case, and names of fields do not. */
export interface Field {
  readonly name: string;
  readonly column: string;
  readonly type: ScalarType;
}

export interface DatasetInfo {
  readonly id: number;
  readonly name: string;
  readonly table: string;
  readonly fields: readonly Field[];
}

/**
 * Whether the caller may read a dataset. It is also called for names of datasets that do not exist. If it is undefined, every
 * dataset is readable.
 */
export type MayRead = ((dataset: string) => boolean) | undefined;

/** Finds the datasets that a query names, and checks the caller's capabilities. Every form of a query uses it. */
export class Reader {
  readonly #catalog: Catalog;
  readonly #mayRead: MayRead;
  readonly #found = new Map<string, DatasetInfo>();

  constructor(catalog: Catalog, mayRead: MayRead) {
    this.#catalog = catalog;
    this.#mayRead = mayRead;
  }

  /**
   * The datasets that a name matches: at most one, or any number with a wildcard.
   * @throws QueryError "forbidden" if the caller may not read one of them
   */
  find(pattern: string): readonly DatasetInfo[] {
    const isPattern = pattern.endsWith("*") && !this.#catalog.get(pattern);
    const prefix = pattern.slice(0, -1);
    const names = isPattern ? this.#catalog.names().filter((name) => name.startsWith(prefix)) : [pattern];
    this.#authorize(names, isPattern ? pattern : undefined);
    const found = names.flatMap((name) => this.#catalog.get(name) ?? []);
    for (const info of found) this.#found.set(info.name, info);
    return found;
  }

  /**
   * A caller with limited rights gets the same response if a wildcard matches a forbidden dataset and if it matches
   * nothing: the difference would reveal which datasets exist.
   */
  #authorize(names: readonly string[], pattern: string | undefined): void {
    const mayRead = this.#mayRead;
    if (!mayRead) return;
    const refused = names.find((name) => !mayRead(name));
    if (pattern !== undefined && (refused !== undefined || names.length === 0))
      throw forbiddenError(`all datasets that ${quoteName(pattern)} matches`);
    if (refused !== undefined) throw forbiddenError(`the dataset ${quoteName(refused)}`);
  }

  /** Every dataset that was found, in the order of the calls. */
  get found(): readonly DatasetInfo[] {
    return [...this.#found.values()];
  }
}

const forbiddenError = (what: string) =>
  new QueryError("forbidden", `the token lacks the capability query: read for ${what}`);

/** The columns of every dataset's table, in addition to its fields. */
export const systemColumns = { time: "t", sysTime: "s", sequence: "q" } as const;

/**
 * Fields that only the service sets (public reference, "Limits", which writes `_rowID`; responses have `_rowId`). If an event
 * has a field with such a name, the field is renamed, for example to `_user_sysTime`.
 */
export const reservedFields: ReadonlySet<string> = new Set(
  "_blockInfo _cursor _rowID _rowId _source _sysTime".split(" "),
);

const catalogTables = [
  "CREATE TABLE IF NOT EXISTS apl_datasets (id INTEGER PRIMARY KEY, name VARCHAR UNIQUE NOT NULL)",
  "CREATE TABLE IF NOT EXISTS apl_fields (dataset INTEGER, ordinal INTEGER, name VARCHAR, type VARCHAR)",
  ledgerTable,
];

/** The list of datasets, in memory and on disk. A change reaches memory only after it is on disk. */
export class Catalog {
  readonly #datasets = new Map<string, DatasetInfo>();

  static async read(connection: Connection): Promise<Catalog> {
    await connection.transaction(() => connection.run(catalogTables.join(";\n")));
    const catalog = new Catalog();
    for (const [id, name] of await connection.values("SELECT id, name FROM apl_datasets ORDER BY id")) {
      const fields = await connection.values(
        `SELECT name, type FROM apl_fields WHERE dataset = ${Number(id)} ORDER BY ordinal`,
      );
      catalog.set({
        ...emptyDataset(Number(id), String(name)),
        fields: fields.map(([field, type], i) => ({
          name: String(field),
          column: `c${i}`,
          type: String(type) as ScalarType,
        })),
      });
    }
    return catalog;
  }

  get(name: string): DatasetInfo | undefined {
    return this.#datasets.get(name);
  }

  set(dataset: DatasetInfo): void {
    this.#datasets.set(dataset.name, dataset);
  }

  delete(name: string): void {
    this.#datasets.delete(name);
  }

  names(): readonly string[] {
    return [...this.#datasets.keys()].sort();
  }

  nextId(): number {
    return Math.max(0, ...[...this.#datasets.values()].map(({ id }) => id)) + 1;
  }
}

export const emptyDataset = (id: number, name: string): DatasetInfo => ({ id, name, table: `d${id}`, fields: [] });

/** The SQL statements that create a dataset's table, or migrate it from one list of fields to another. */
export function migration(before: DatasetInfo | undefined, after: DatasetInfo, sqlType: (t: ScalarType) => string) {
  const statements: string[] = [];
  if (!before) {
    statements.push(
      `INSERT INTO apl_datasets VALUES (${after.id}, ${quote(after.name)})`,
      `CREATE TABLE ${after.table} (${systemColumns.time} TIMESTAMP NOT NULL, ${systemColumns.sysTime} TIMESTAMP NOT NULL, ` +
        `${systemColumns.sequence} BIGINT NOT NULL)`,
    );
  }
  for (const [ordinal, field] of after.fields.entries()) {
    if (before?.fields[ordinal]) continue;
    statements.push(
      `ALTER TABLE ${after.table} ADD COLUMN ${field.column} ${sqlType(field.type)}`,
      `INSERT INTO apl_fields VALUES (${after.id}, ${ordinal}, ${quote(field.name)}, ${quote(field.type)})`,
    );
  }
  return statements;
}
