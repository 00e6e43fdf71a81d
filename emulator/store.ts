import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { runInThisContext } from "node:vm";
import { checkFolder } from "./apl/folder";
import { HttpError, notFound } from "./httpError";
import type { WireObject } from "./json";

export interface Stored {
  /** The object as the interface shows it. */
  readonly shown: WireObject;
  /** The SHA-256 of a token's secret, in hex. The secret itself is not stored. */
  readonly secretHash?: string;
}

export interface Change {
  /** The word for objects of this kind, such as `token`; a 404 shows it. */
  readonly kind: string;
  readonly id: string;
  /** Null: deleted. */
  readonly value: Stored | null;
}

/** Another process has the lock; there is no space; and the file is damaged, or not a database. */
const [busy, full, corrupt, foreign] = [5, 13, 11, 26];

/** Without the bits that say more. */
const codeOf = (failure: unknown) => ((failure as { errcode?: number }).errcode ?? 0) & 0xff;

/** All objects, in a file that only one process has open: the kernel ends its lock with the process. */
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
  get(kind: string, id: string): Stored {
    const [found] = this.#select("kind = ? AND id = ?", kind, id);
    if (!found) throw notFound(kind);
    return found;
  }

  /** In the order of creation. */
  list(kind: string): readonly Stored[] {
    return this.#select("kind = ? ORDER BY place", kind);
  }

  /** Finds a token by the hash of its secret. */
  findToken(secretHash: string): Stored | undefined {
    return this.#select("hash = ?", secretHash)[0];
  }

  /**
   * A change is on the disk before anybody can see it.
   * @param decide returns the changes and the result; if it throws, nothing changes and `commit` rejects
   */
  async commit<T>(decide: () => { readonly changes: readonly Change[]; readonly result: T }): Promise<T> {
    const { changes, result } = decide();
    const put = this.#database.prepare(`INSERT INTO objects (kind, id, hash, shown) VALUES (?, ?, ?, ?)
      ON CONFLICT (kind, id) DO UPDATE SET hash = excluded.hash, shown = excluded.shown`);
    const remove = this.#database.prepare("DELETE FROM objects WHERE kind = ? AND id = ?");
    try {
      this.#database.exec("BEGIN");
      for (const { kind, id, value } of changes)
        if (value) put.run(kind, id, value.secretHash ?? null, JSON.stringify(value.shown));
        else remove.run(kind, id);
      this.#database.exec("COMMIT");
    } catch (failure) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw codeOf(failure) === full ? new HttpError(422, "the disk is full") : failure;
    }
    this.#writes += 1;
    return result;
  }

  /** @throws HttpError 404 */
  remove(kind: string, id: string): Promise<void> {
    return this.commit(() => {
      this.get(kind, id);
      return { changes: [{ kind, id, value: null }], result: undefined };
    });
  }

  close(): void {
    this.#database.close();
  }

  #select(condition: string, ...values: readonly string[]): Stored[] {
    const rows = this.#database.prepare(`SELECT hash, shown FROM objects WHERE ${condition}`).all(...values);
    return rows.map(({ hash, shown }) => ({
      shown: JSON.parse(String(shown)) as WireObject,
      ...(hash !== null && { secretHash: String(hash) }),
    }));
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
