import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** How long a note counts, in milliseconds. No update takes longer, and the address of an engine can be used again. */
const lifetime = 24 * 3_600_000;

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** Absent on Windows, where the folder for temporary files is the user's own. A user need not have a name. */
const user = process.geteuid?.();

/**
 * Notes that all processes of one update see: which resource manages which object. Each explicit provider has a process of
 * its own, and an object that a resource of one adopts must not be revoked by a resource of another. A note is an empty
 * file in a folder that only this user can write.
 */
export class Notes {
  readonly #own = new Map<string, Set<string>>();
  #endsWithProcess = false;
  /** The folder of all updates of this user, and within it that of this update; undefined: there is only this process. */
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

  /** Takes a resource's note back, if there is one. Never throws: an object whose note stays is left alone. */
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

  /** The engine interrupts its providers when the update is over, and nobody needs the notes any more. */
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
