import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** How long a note counts, in milliseconds: a later engine can get the same address. */
const lifetime = 24 * 3_600_000;

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** Absent on Windows, where each user has a folder for temporary files. */
const user = process.geteuid?.();

/**
 * Notes of adopted objects that all processes of one update see: each explicit provider has its own process, and none may
 * revoke an object that another one adopts. A note is an empty file in a folder that only this user can write.
 */
export class Notes {
  readonly #own = new Map<string, Set<string>>();
  #endsWithProcess = false;
  /** The folder of all updates of this user, and that of this update. */
  readonly #folders: { readonly all: string; readonly update: string } | undefined;

  /**
   * @param update tells the update from others: the engine's address; undefined: there is only this process
   * @param temporary the folder for temporary files
   */
  constructor(update: string | undefined, temporary = tmpdir()) {
    if (update === undefined) return;
    const all = join(temporary, `event-datasets-${user ?? "notes"}`);
    this.#folders = { all, update: join(all, hash(update)) };
  }

  /** @throws Error if it cannot be noted: another process could revoke the object */
  add(id: string, holder: string): void {
    this.#own.set(id, (this.#own.get(id) ?? new Set()).add(holder));
    if (this.#folders === undefined) return;
    try {
      this.#open(this.#folders.all);
      this.#open(this.#folders.update);
      const notes = join(this.#folders.update, hash(id));
      this.#open(notes);
      writeFileSync(join(notes, hash(holder)), "", { mode: 0o600 });
      this.#removeAtEnd(this.#folders.update);
    } catch (failure) {
      throw new Error(describeFailure("noted", this.#folders.all, failure), { cause: failure });
    }
  }

  /** Never throws: an object whose note stays is left alone. */
  remove(id: string, holder: string): void {
    this.#own.get(id)?.delete(holder);
    if (this.#folders === undefined) return;
    try {
      rmSync(join(this.#folders.update, hash(id), hash(holder)), { force: true });
    } catch {
      // The deletion of the object says that it is left alone.
    }
  }

  /**
   * Whether a resource of this update has noted an object.
   * @throws Error for notes that cannot be read, or that somebody else can write: nothing is known about the object then
   */
  has(id: string): boolean {
    if ((this.#own.get(id)?.size ?? 0) > 0) return true;
    if (this.#folders === undefined) return false;
    const { all, update } = this.#folders;
    try {
      return [all, update].every(isOwnFolder) && hasNote(join(update, hash(id)));
    } catch (failure) {
      throw new Error(describeFailure("looked up", all, failure), { cause: failure });
    }
  }

  #removeAtEnd(folder: string): void {
    if (this.#endsWithProcess) return;
    this.#endsWithProcess = true;
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    process.once("SIGINT", () => process.exit(130));
  }

  #open(folder: string): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOwnFolder(folder)) throw new Error("it was removed");
  }
}

/**
 * Whether a folder is there.
 * @throws Error for one that others can write: they decide what is revoked then
 */
function isOwnFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return false;
  const isPrivate = user === undefined || (found.uid === user && (found.mode & 0o077) === 0);
  if (!found.isDirectory() || !isPrivate) throw new Error("it is not a folder of this user alone");
  return true;
}

function hasNote(notes: string): boolean {
  if (!isOwnFolder(notes)) return false;
  return readdirSync(notes).some((name) => {
    const note = lstatSync(join(notes, name), { throwIfNoEntry: false });
    return note !== undefined && Date.now() - note.mtimeMs < lifetime;
  });
}

const codeOf = (failure: unknown): unknown =>
  typeof failure === "object" && failure !== null && "code" in failure ? failure.code : undefined;

const describeFailure = (verb: string, folder: string, failure: unknown): string => {
  const reason = codeOf(failure) ?? (failure instanceof Error ? failure.message : failure);
  return [
    `the objects that this update adopts cannot be ${verb} in ${folder} (${reason}), and another process of`,
    "the update could revoke one: set TMPDIR (on Windows TEMP) to a folder that this user can write.",
  ].join(" ");
};
