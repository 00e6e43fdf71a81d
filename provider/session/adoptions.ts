import { createHash } from "node:crypto";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { Adoptions } from "../lifecycle/contract";

/** How long a note counts, in milliseconds. No update takes longer; an address of an engine can come again. */
const lifetime = 24 * 3_600_000;

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** A note that cannot be looked at is none of ours. */
function lookAt(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * Adoptions that all processes of one update see: each explicit provider has a process of its own, and what a resource of one
 * adopts must not be revoked by a resource of another. An empty file each, in the folder for temporary files, that
 * only this user can write.
 * @param update what tells the update from others: the engine's address; undefined: there is only this process
 */
export function shareAdoptions(update: string | undefined): Adoptions {
  const own = new Set<string>();
  const { uid, username } = userInfo();
  const folder = join(tmpdir(), `event-datasets-${hash(`${username}\n${update}`)}`);
  return {
    note(id) {
      own.add(id);
      if (update === undefined) return;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, hash(id)), "", { mode: 0o600 });
    },
    has(id) {
      if (own.has(id) || update === undefined) return own.has(id);
      const note = lookAt(join(folder, hash(id)));
      return note !== undefined && note.uid === Math.max(uid, 0) && Date.now() - note.mtimeMs < lifetime;
    },
  };
}
