import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from "@duckdb/node-api";
import { registerComputed } from "./computed/register";
import { QueryError } from "./errors";
import { macros } from "./macros";

export type Row = Record<string, DuckDBValue>;

/** One connection to the database. Every query has its own, so that temporary tables and interrupts stay apart. */
export class Connection implements Disposable {
  readonly #inner: DuckDBConnection;

  constructor(inner: DuckDBConnection) {
    this.#inner = inner;
  }

  /** Makes what is computed outside of the database known to it. */
  register(api: typeof import("@duckdb/node-api")): void {
    registerComputed(api, this.#inner);
  }

  async run(sql: string): Promise<void> {
    await this.#inner.run(sql);
  }

  async rows(sql: string): Promise<Row[]> {
    const reader = await this.#inner.runAndReadAll(sql);
    return reader.getRowObjects();
  }

  /** Rows as arrays, in the order of the selected columns. */
  async values(sql: string): Promise<DuckDBValue[][]> {
    const reader = await this.#inner.runAndReadAll(sql);
    return reader.getRows();
  }

  /** The one number that a query answers with. */
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

  /** Runs all of it or nothing. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.run("BEGIN TRANSACTION");
    try {
      const result = await work();
      await this.run("COMMIT");
      return result;
    } catch (e) {
      await this.run("ROLLBACK");
      throw e;
    }
  }

  interrupt(): void {
    this.#inner.interrupt();
  }

  [Symbol.dispose](): void {
    this.#inner.closeSync();
  }
}

/** The database file of a folder. */
export class Database {
  readonly #instance: DuckDBInstance;

  private constructor(
    instance: DuckDBInstance,
    /** The one folder that DuckDB may read files from: what is to be loaded is linked in here first. */
    readonly inbox: string,
  ) {
    this.#instance = instance;
  }

  static async open(folder: string): Promise<Database> {
    const dir = resolve(folder);
    const inbox = join(dir, "inbox");
    const api = await loadDuckDb();
    await mkdir(dir, { recursive: true });
    const instance = await api.DuckDBInstance.create(join(dir, "datasets.duckdb"), {
      threads: "2",
      memory_limit: "700MB",
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
    }).catch((cause: Error) => {
      // Most often another process has them open.
      const reason = cause.message.split("\n")[0];
      throw new QueryError("data", `cannot open the datasets in ${dir}: ${reason}`, undefined, { cause });
    });
    // Only now: before, the folder might have been another process's.
    await rm(inbox, { recursive: true, force: true });
    await mkdir(inbox);
    const database = new Database(instance, inbox);
    using connection = await database.connect();
    await connection.run(`SET GLOBAL allowed_directories = ['${inbox.replaceAll("'", "''")}/']`);
    await connection.run("SET GLOBAL ieee_floating_point_ops = true");
    await connection.run("SET GLOBAL enable_external_access = false");
    connection.register(api);
    for (const macro of macros) await connection.run(`CREATE OR REPLACE MACRO ${macro}`);
    return database;
  }

  async connect(): Promise<Connection> {
    const connection = new Connection(await this.#instance.connect());
    await connection.run("SET TimeZone = 'UTC'");
    return connection;
  }

  close(): void {
    this.#instance.closeSync();
  }
}

/** Loaded at the first use: an emulator without datasets runs where DuckDB is not installed. */
async function loadDuckDb() {
  try {
    return await import("@duckdb/node-api");
  } catch (cause) {
    throw new QueryError("data", "datasets need the package @duckdb/node-api; install it beside this one", undefined, {
      cause,
    });
  }
}
