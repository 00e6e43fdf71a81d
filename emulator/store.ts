import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { runInThisContext } from "node:vm";
import { checkFolder } from "./apl/folder";
import { HttpError, notFound } from "./httpError";
import type { WireObject } from "./json";

/** Another process has the lock; there is no space; and the file is damaged, or not a database. */
const [busy, full, corrupt, foreign] = [5, 13, 11, 26];

/** Without the bits that say more. */
const codeOf = (failure: unknown) => ((failure as { errcode?: number }).errcode ?? 0) & 0xff;

/**
 * All objects, in the form of the interface, in a file that only one process can open: the kernel releases its lock when the
 * process ends. Their `kind` is a word such as `token`, which a 404 shows.
 */
export class Store {
  readonly #database: DatabaseSync;
  readonly #opened = randomUUID();
  #writes = 0;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** @throws Error if another server uses the folder, or the file is damaged, which then stays unchanged */
  static open(folder: string): Store {
    const [file, owner] = ["objects.sqlite", "owner.pid"].map((name) => path.join(folder, name)) as [string, string];
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    checkFolder(folder, (name) => name === "datasets" || name.startsWith("objects.sqlite"));
    writeFileSync(file, "", { flag: "a", mode: 0o600 });
    const database = new (loadSqlite().DatabaseSync)(file);
    try {
      database.exec(`PRAGMA busy_timeout = 300; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;
        CREATE TABLE IF NOT EXISTS objects (place INTEGER PRIMARY KEY, kind TEXT, id TEXT, hash TEXT UNIQUE, shown TEXT, UNIQUE (kind, id)) STRICT;
        COMMIT; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`);
      const [damage] = database.prepare("PRAGMA integrity_check").all();
      if (damage?.integrity_check !== "ok") throw new Error(String(damage?.integrity_check));
    } catch (failure) {
      database.close();
      const { message } = failure as Error;
      const pid = existsSync(owner) ? readFileSync(owner, "utf8") : "unknown";
      if (codeOf(failure) === busy)
        throw new Error(`${folder} is in use by another event-datasets server (process ${pid})`);
      if (![0, corrupt, foreign].includes(codeOf(failure))) throw new Error(`${file} cannot be opened: ${message}`);
      throw new Error(`${file}: damaged: ${message}; move it away to start with an empty one`);
    }
    // A new file in place of the old one, which may be a link.
    const fresh = `${owner}.${randomUUID()}`;
    writeFileSync(fresh, String(process.pid), { flag: "wx", mode: 0o600 });
    renameSync(fresh, owner);
    return new Store(database);
  }

  /** Changes with every write and every start. */
  get revision(): string {
    return `${this.#opened}-${this.#writes}`;
  }

  /** @throws HttpError 404 */
  get(kind: string, id: string): WireObject {
    const [found] = this.#select("kind = ? AND id = ?", kind, id);
    if (!found) throw notFound(kind);
    return found;
  }

  /** In the order of creation. */
  list(kind: string): readonly WireObject[] {
    return this.#select("kind = ? ORDER BY place", kind);
  }

  /** Finds a token by the hash of its secret. */
  findToken(secretHash: string): WireObject | undefined {
    return this.#select("hash = ?", secretHash)[0];
  }

  /** Makes all writes of `work` or none. They are on disk before anybody can see them. */
  atomically<T>(work: () => T): T {
    if (this.#database.isTransaction) return work();
    try {
      this.#database.exec("BEGIN");
      const result = work();
      this.#database.exec("COMMIT");
      this.#writes += 1;
      return result;
    } catch (failure) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw codeOf(failure) === full ? new HttpError(422, "the disk is full") : failure;
    }
  }

  /**
   * Adds an object, or replaces the one with its id.
   * @param secretHash the SHA-256 of a new token's secret, in hex. The secret itself is not stored.
   */
  put(kind: string, object: WireObject, secretHash: string | null = null): void {
    const put = this.#database.prepare(`INSERT INTO objects (kind, id, hash, shown) VALUES (?, ?, ?, ?)
      ON CONFLICT (kind, id) DO UPDATE SET shown = excluded.shown`);
    this.atomically(() => put.run(kind, object.id, secretHash, JSON.stringify(object)));
  }

  /** @throws HttpError 404 */
  remove(kind: string, id: string): void {
    this.get(kind, id);
    const remove = this.#database.prepare("DELETE FROM objects WHERE kind = ? AND id = ?");
    this.atomically(() => remove.run(kind, id));
  }

  close(): void {
    this.#database.close();
  }

  #select(condition: string, ...values: readonly string[]): WireObject[] {
    const rows = this.#database.prepare(`SELECT shown FROM objects WHERE ${condition}`).all(...values);
    return rows.map(({ shown }) => JSON.parse(String(shown)) as WireObject);
  }
}

/** Node.js 22 warns that its interface may change; these calls have been the same since it exists. */
function loadSqlite(): typeof import("node:sqlite") {
  // Not `process`, which some test runners replace.
  const node = runInThisContext("process") as NodeJS.Process;
  const { emitWarning } = node;
  node.emitWarning = () => undefined;
  try {
    return require("node:sqlite") as typeof import("node:sqlite");
  } finally {
    node.emitWarning = emitWarning;
  }
}
