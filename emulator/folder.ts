import { mkdir, rmdir } from "node:fs/promises";
import path from "node:path";

/**
 * Makes a folder that only its owner can read, if there is none.
 * @returns what takes away again the folders that were made, as far as they are empty
 */
export async function makeFolder(folder: string): Promise<() => Promise<void>> {
  const whole = path.resolve(folder);
  const first = await mkdir(whole, { recursive: true, mode: 0o700 });
  return async () => {
    if (first === undefined) return;
    for (let at = whole; at.length >= first.length; at = path.dirname(at)) {
      try {
        await rmdir(at);
      } catch {
        return; // somebody has put something in it
      }
    }
  };
}
