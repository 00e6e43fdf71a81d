import type { DuckDBValue } from "@duckdb/node-api";
import type { Reader } from "./catalog";
import type { Connection } from "./duckdb";
import { QueryError } from "./errors";

/** The forms of a FROM clause that plans have. */
const relations: ReadonlySet<unknown> = new Set([
  "BASE_TABLE",
  "EMPTY",
  "EXPRESSION_LIST",
  "JOIN",
  "SUBQUERY",
  "TABLE_FUNCTION",
]);

/** The functions that plans use as tables; neither reads anything. */
const tableFunctions: ReadonlySet<unknown> = new Set(["range", "unnest"]);

/** The names of a plan's steps. No table of the database has such a name. */
const stepName = /^x\d+$/;

const serialized =
  "SELECT json_serialize_sql($1::VARCHAR, skip_default := true, skip_empty := true, skip_null := true)";

/** The result of `json_serialize_sql`: the statements, or why they have no tree. Only SELECT has one. */
interface Tree {
  readonly statements?: readonly unknown[];
  readonly error_type?: string;
  readonly error_message?: string;
}

/**
 * The events that one query sees: a transaction that only reads. Before a statement runs, the tree that the database parses from it must
 * be a SELECT from the datasets that the caller may read. This check does not rely on the planner.
 */
export class Snapshot {
  readonly #connection: Connection;
  readonly #reader: Reader;

  private constructor(connection: Connection, reader: Reader) {
    this.#connection = connection;
    this.#reader = reader;
  }

  /** Begins the transaction, which ends with the connection. */
  static async begin(connection: Connection, reader: Reader): Promise<Snapshot> {
    await connection.run("BEGIN TRANSACTION READ ONLY");
    return new Snapshot(connection, reader);
  }

  /** @throws QueryError "forbidden" if the statement reads anything else */
  async values(select: string): Promise<DuckDBValue[][]> {
    await this.#check(select);
    return await this.#connection.single(select, "SELECT");
  }

  /** Keeps rows in a temporary table for further statements. @throws QueryError "forbidden" */
  async keep(table: string, select: string): Promise<void> {
    await this.#check(select);
    await this.#connection.single(`CREATE TEMP TABLE ${table} AS ${select}`, "CREATE");
  }

  async #check(select: string): Promise<void> {
    const [row] = await this.#connection.values(serialized, [select]);
    const tree = JSON.parse(String(row?.[0])) as Tree;
    if (tree.error_type === "parser") throw new Error(`Parser Error: ${tree.error_message}`);
    if (tree.statements?.length === 1 && this.#mayRead(tree.statements)) return;
    throw new QueryError("forbidden", "the plan of the query reads more than the datasets that it names", undefined, {
      cause: new Error(tree.error_message ?? select),
    });
  }

  /** A loop instead of recursion, because trees may be deep. */
  #mayRead(tree: unknown): boolean {
    const tables: ReadonlySet<unknown> = new Set(this.#reader.found.map(({ table }) => table));
    const open: unknown[] = [tree];
    while (open.length > 0) {
      const node = open.pop();
      if (typeof node !== "object" || node === null) continue;
      const { from_table: from, left, right, type, class: kind } = node as Record<string, unknown>;
      const sides = type === "JOIN" && kind === undefined ? [left, right] : [];
      if (![from ?? [], sides].flat().every((relation) => isReadable(relation, tables))) return false;
      for (const inner of Object.values(node)) open.push(inner);
    }
    return true;
  }
}

function isReadable(relation: unknown, tables: ReadonlySet<unknown>): boolean {
  const { type, ...more } = relation as Record<string, unknown>;
  if (!relations.has(type)) return false;
  if (type === "TABLE_FUNCTION") return tableFunctions.has((more.function as Record<string, unknown>).function_name);
  if (type !== "BASE_TABLE") return true;
  const isPlain = more.schema_name === undefined && more.catalog_name === undefined;
  return isPlain && (tables.has(more.table_name) || stepName.test(String(more.table_name)));
}
