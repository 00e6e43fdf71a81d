import { createWriteStream } from "node:fs";
import { lstat, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";

/** Where a path leads in the end, so that two names of one file are one; also for a file that does not exist yet. */
export async function placeOf(file: string, linksLeft = 40): Promise<string> {
  const existing = await realpath(file).catch(() => undefined);
  if (existing !== undefined) return existing;
  const isLink = await lstat(file).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
  if (isLink && linksLeft > 0) return placeOf(path.resolve(path.dirname(file), await readlink(file)), linksLeft - 1);
  const folder = path.dirname(path.resolve(file));
  return path.join(await realpath(folder).catch(() => folder), path.basename(file));
}

/** Removes the file that a path leads to. Folders and devices are left alone. */
export async function removeFile(file: string): Promise<void> {
  const place = await placeOf(file);
  const found = await stat(place).catch(() => undefined);
  if (found?.isFile()) await rm(place);
}

/** A file and the pieces of its text. */
export interface Draft {
  readonly file: string;
  readonly pieces: Iterable<string>;
  /** How to call it in an error. */
  readonly label: string;
}

/**
 * Writes files so that each is there as a whole or not at all: first all of them aside, then in their places. What is not a
 * file, such as a pipe, is written to as it is.
 * @throws Error that names the one that cannot be written
 */
export async function writeFiles(drafts: readonly Draft[]): Promise<void> {
  const aside: { readonly from: string; readonly to: string; readonly label: string }[] = [];
  try {
    for (const { file, pieces, label } of drafts) {
      const place = await placeOf(file);
      const found = await stat(place).catch(() => undefined);
      const isDevice = found !== undefined && !found.isFile();
      const target = isDevice ? place : `${place}.${process.pid}.${aside.length}.tmp`;
      if (!isDevice) aside.push({ from: target, to: place, label });
      await explain(label, pipeline(pieces, createWriteStream(target)));
    }
    for (const { from, to, label } of aside) await explain(label, rename(from, to));
  } finally {
    for (const { from } of aside) await rm(from, { force: true });
  }
}

const explain = (label: string, work: Promise<void>): Promise<void> =>
  work.catch((failure: NodeJS.ErrnoException) => {
    throw new Error(`${label}: cannot be written (${failure.code})`);
  });
