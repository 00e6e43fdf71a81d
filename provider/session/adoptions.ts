import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Adoptions } from "../lifecycle/contract";

/** How long a note counts, in milliseconds. No update takes longer; an address of an engine can come again. */
const lifetime = 24 * 3_600_000;

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** Absent on Windows, where the folder for temporary files is the user's own. A user need not have a name. */
const user = process.geteuid?.();

/**
 * Adoptions that all processes of one update see: each explicit provider has a process of its own, and what a resource of one
 * adopts must not be revoked by a resource of another. An empty file each, in the folder for temporary files, that
 * only this user can write.
 * @param update what tells the update from others: the engine's address; undefined: there is only this process
 * @param temporary the folder for temporary files
 */
export function shareAdoptions(update: string | undefined, temporary = tmpdir()): Adoptions {
  const own = new Map<string, Set<string>>();
  const folder = join(temporary, `event-datasets-${hash(`${user}\n${update}`)}`);
  const notesOf = (id: string) => join(folder, hash(id));
  return {
    note(id, holder) {
      own.set(id, (own.get(id) ?? new Set()).add(holder));
      if (update === undefined) return;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        requireOwn(folder);
        mkdirSync(notesOf(id), { recursive: true, mode: 0o700 });
        writeFileSync(join(notesOf(id), hash(holder)), "", { mode: 0o600 });
      } catch (failure) {
        throw new Error(describeFailure(folder, failure), { cause: failure });
      }
    },
    forget(id, holder) {
      own.get(id)?.delete(holder);
      if (update === undefined) return;
      try {
        rmSync(join(notesOf(id), hash(holder)), { force: true });
      } catch {
        // What stays noted is left alone, which is said when its deletion comes.
      }
    },
    has: (id) => (own.get(id)?.size ?? 0) > 0 || (update !== undefined && hasNote(notesOf(id))),
  };
}

/** @throws Error for a folder that others can write: what they note would never be revoked */
function requireOwn(folder: string): void {
  const found = lstatSync(folder);
  const isPrivate = user === undefined || (found.uid === user && (found.mode & 0o077) === 0);
  if (!found.isDirectory() || !isPrivate) throw new Error("it is not a folder of this user alone");
}

/** Whether an adoption is noted. Only what is not there counts as none: of what cannot be looked at nothing is known. */
function hasNote(notes: string): boolean {
  try {
    return readdirSync(notes).some((name) => {
      const note = lstatSync(join(notes, name), { throwIfNoEntry: false });
      const isOurs = note !== undefined && (user === undefined || note.uid === user);
      return isOurs && Date.now() - note.mtimeMs < lifetime;
    });
  } catch (failure) {
    return codeOf(failure) !== "ENOENT";
  }
}

const codeOf = (failure: unknown): unknown =>
  typeof failure === "object" && failure !== null && "code" in failure ? failure.code : undefined;

const describeFailure = (folder: string, failure: unknown): string => {
  const reason = codeOf(failure) ?? (failure instanceof Error ? failure.message : failure);
  return [
    `what this update adopts cannot be noted in ${folder} (${reason}), and another process of it could`,
    "revoke it: set TMPDIR (on Windows TEMP) to a folder that this user can write.",
  ].join(" ");
};
