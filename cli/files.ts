import { createWriteStream } from "node:fs";
import { readlink, realpath, rename, rm, stat, truncate } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Printable } from "./text";

/** An open descriptor, as `>(command)` of a shell is one. It is written to directly, and never removed. */
const isDescriptor = (place: string): boolean => /^\/(?:dev\/(?:fd\/|std(?:out|err)$)|proc\/)/.test(place);

/** The resolved path, which is the same for two names of one file. The file need not exist yet. */
export async function placeOf(file: string): Promise<string> {
  const whole = path.resolve(file);
  if (isDescriptor(whole)) return whole;
  const existing = await realpath(whole).catch(() => undefined);
  if (existing !== undefined) return existing;
  const target = await readlink(whole).catch(() => ""); // a link to a file that does not exist yet
  const folder = path.dirname(whole);
  if (target !== "") return placeOf(path.resolve(folder, target));
  return path.join(await realpath(folder).catch(() => folder), path.basename(whole));
}

const isFile = async (place: string): Promise<boolean> =>
  !isDescriptor(place) && (await stat(place).catch(() => undefined))?.isFile() !== false;

/** Removes the file that a path leads to. Leaves folders, devices and open descriptors alone. */
export async function removeFile(file: string): Promise<void> {
  const place = await placeOf(file);
  if (!(await isFile(place))) return;
  // In a folder that cannot be written to, the file stays, but not its content.
  await rm(place, { force: true }).catch(() => truncate(place));
}

/** A file and the pieces of its text. */
export interface Draft {
  readonly file: string;
  readonly pieces: Iterable<Printable>;
  /** Its name in an error. */
  readonly label: string;
}

/**
 * Writes each file completely or not at all: all texts go to temporary files first, and then these files are renamed.
 * @throws Error that names the file that cannot be written
 */
export async function writeFiles(drafts: readonly Draft[]): Promise<void> {
  const aside: { readonly from: string; readonly to: string; readonly label: string }[] = [];
  try {
    for (const { file, pieces, label } of drafts) {
      const to = await placeOf(file);
      const from = (await isFile(to)) ? `${to}.${process.pid}.${aside.length}.tmp` : to;
      if (from !== to) aside.push({ from, to, label });
      // A device keeps its earlier content.
      await explain(label, pipeline(pieces, createWriteStream(from, { flags: from === to ? "a" : "w" })));
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
