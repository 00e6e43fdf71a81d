import { chmod, mkdir, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { DuckDBConnection, DuckDBInstance, DuckDBValue, StatementType } from "@duckdb/node-api";
import { registerComputed } from "./computed/register";
import { databaseMemoryMB, isDiskFull, QueryError } from "./errors";
import { checkFolder } from "./folder";
import { macros } from "./macros";

/** DuckDB's numbers for types of statements; importing its own list would load all of it. */
const statementTypes = { SELECT: 1, CREATE: 7 } as const satisfies Partial<Record<keyof typeof StatementType, number>>;

/** A connection to the database. Every query has its own, to separate temporary tables and interrupts. */
export class Connection implements Disposable {
  readonly #inner: DuckDBConnection;

  constructor(inner: DuckDBConnection) {
    this.#inner = inner;
  }

  async run(sql: string): Promise<void> {
    await this.#inner.run(sql);
  }

  /** Rows as arrays, in the order of the selected columns. */
  async values(sql: string, parameters?: readonly string[]): Promise<DuckDBValue[][]> {
    const reader = await this.#inner.runAndReadAll(sql, parameters && [...parameters]);
    return reader.getRows();
  }

  /** The rows of a statement. The text must be exactly one statement, of the given type. */
  async single(sql: string, type: "SELECT" | "CREATE"): Promise<DuckDBValue[][]> {
    const statements = await this.#inner.extractStatements(sql);
    if (statements.count !== 1) throw new Error(`${statements.count} statements instead of one`);
    const statement = await statements.prepare(0);
    if (statement.statementType !== statementTypes[type]) throw new Error(`not a ${type} statement`);
    return (await statement.runAndReadAll()).getRows();
  }

  /** The single number that a query returns. */
  async number(sql: string): Promise<number> {
    const [row] = await this.values(sql);
    return Number(row?.[0] ?? 0);
  }

  async appendStrings(table: string, texts: readonly string[]): Promise<void> {
    const appender = await this.#inner.createAppender(table);
    for (const text of texts) {
      appender.appendVarchar(text);
      appender.endRow();
    }
    appender.closeSync();
  }

  /** Runs the work in a transaction. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.run("BEGIN TRANSACTION");
    const result = await work().catch(async (failure) => {
      await this.run("ROLLBACK");
      throw failure;
    });
    await this.run("COMMIT"); // which rolls back if it fails
    return result;
  }

  interrupt(): void {
    this.#inner.interrupt();
  }

  [Symbol.dispose](): void {
    this.#inner.closeSync();
  }
}

/** Interrupts the connection when the signal aborts. */
export function interruptOn(signal: AbortSignal | undefined, connection: Connection): Disposable {
  const interrupt = () => connection.interrupt();
  signal?.addEventListener("abort", interrupt);
  return { [Symbol.dispose]: () => signal?.removeEventListener("abort", interrupt) };
}

/** The number of rows that the database stores, reads and gives to a thread as one block. */
export const blockRows = 122_880;

/** The database file of a folder. */
export class Database {
  readonly #instance: DuckDBInstance;
  #hasMuchToDo = false;

  private constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  static async open(folder: string): Promise<Database> {
    const dir = resolve(folder);
    const api = loadDuckDb();
    await mkdir(dir, { recursive: true, mode: 0o700 });
    checkFolder(dir, () => true);
    await chmod(dir, 0o700);
    const instance = await api.DuckDBInstance.create(join(dir, "datasets.duckdb"), {
      // With little data a second thread has nothing to do, and its polling takes a fifth of the CPU time.
      threads: "1",
      // The smallest: each column of each dataset holds a block in memory, and events may have thousands of fields.
      default_block_size: "16384",
      memory_limit: `${databaseMemoryMB}MB`,
      ieee_floating_point_ops: "true",
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
    }).catch((cause: Error) => {
      if (isDiskFull(cause)) throw cause;
      const { message } = cause;
      const reason = /\block\b/i.test(message)
        ? "another process has locked its file"
        : /not a valid DuckDB database/.test(message)
          ? "datasets.duckdb is not a valid database"
          : "datasets.duckdb cannot be read";
      throw new QueryError("unavailable", `cannot open the datasets in ${dir}: ${reason}`, undefined, { cause });
    });
    for (const entry of await readdir(dir, { withFileTypes: true }))
      if (entry.isFile()) await chmod(join(dir, entry.name), 0o600);
    const database = new Database(instance);
    const inner = await instance.connect();
    registerComputed(api, inner);
    using connection = new Connection(inner);
    await connection.run(`SET GLOBAL TimeZone = 'UTC'; SET GLOBAL enable_external_access = false`);
    // In one transaction, because each commit waits for the disk.
    const statements = macros.map((macro) => `CREATE OR REPLACE MACRO ${macro}`);
    await connection.transaction(() => connection.run(statements.join(";\n")));
    return database;
  }

  async connect(): Promise<Connection> {
    return new Connection(await this.#instance.connect());
  }

  /** Uses two threads from now on, because there is more than one block of rows to share. */
  async expectMuch(): Promise<void> {
    if (this.#hasMuchToDo) return;
    this.#hasMuchToDo = true;
    using connection = await this.connect();
    await connection.run("SET GLOBAL threads = 2");
  }

  close(): void {
    this.#instance.closeSync();
  }
}

/** Loaded at the first use, so that an emulator without datasets runs without DuckDB. */
function loadDuckDb(): typeof import("@duckdb/node-api") {
  try {
    // Not with `import`, which would search the text of every module for its exports first: a third of the start.
    return require("@duckdb/node-api") as typeof import("@duckdb/node-api");
  } catch (cause) {
    const reason = (cause as Error).message.split("\n")[0];
    throw new QueryError("unavailable", `datasets need the package @duckdb/node-api: ${reason}`, undefined, { cause });
  }
}
