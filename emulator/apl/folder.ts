import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { QueryError } from "./errors";

const writableByOthers = 0o022;

/**
 * Refuses a folder that others may change, and symbolic links in it: a write would follow them to other files.
 * @param isOurs whether an entry of the folder has a name that the emulator uses
 */
export function checkFolder(folder: string, isOurs: (name: string) => boolean): void {
  const { uid, mode } = statSync(folder);
  const user = process.getuid?.(); // undefined on Windows, where modes mean nothing
  if (user !== undefined && (mode & writableByOthers) !== 0)
    throw refuse(`${folder} can be written by others: chmod go-w ${folder}`);
  if (user !== undefined && user !== 0 && uid !== 0 && uid !== user) throw refuse(`${folder} belongs to another user`);
  const link = readdirSync(folder).find((name) => isOurs(name) && lstatSync(join(folder, name)).isSymbolicLink());
  if (link !== undefined) throw refuse(`${join(folder, link)} is a symbolic link, which the emulator does not follow`);
}

const refuse = (reason: string) => new QueryError("unavailable", reason);
