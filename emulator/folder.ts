import { mkdir, rmdir } from "node:fs/promises";
import path from "node:path";

/**
 * Creates a folder that only its owner can read, unless it exists.
 * @returns a function that removes the created folders if they are empty
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
        return; // not empty any more
      }
    }
  };
}
