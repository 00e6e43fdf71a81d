import { createWriteStream } from "node:fs";
import { lstat, readlink, realpath, rename, rm, stat, truncate } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Printable } from "./text";

/** A path that names an open descriptor of this process, as standard output and `>(command)` of a shell do. */
const descriptorPath = /^(?:\/dev\/fd|\/proc\/self\/fd)\/(\d+)$/;
const namedDescriptors: Readonly<Record<string, number>> = { "/dev/stdout": 1, "/dev/stderr": 2 };

/** The open descriptor that a path leads to; undefined: it leads elsewhere. */
async function descriptorOf(file: string, linksLeft = 40): Promise<number | undefined> {
  const whole = path.resolve(file);
  const [, digits] = descriptorPath.exec(whole) ?? [];
  const descriptor = digits === undefined ? namedDescriptors[whole] : Number(digits);
  if (descriptor !== undefined || linksLeft === 0) return descriptor;
  const target = await readlink(whole).catch(() => undefined); // no link
  return target === undefined ? undefined : descriptorOf(path.resolve(path.dirname(whole), target), linksLeft - 1);
}

/** The resolved path, so that two names of one file are equal; also for a file that does not exist yet. */
export async function placeOf(file: string, linksLeft = 40): Promise<string> {
  const descriptor = await descriptorOf(file);
  if (descriptor !== undefined) return `/dev/fd/${descriptor}`;
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

/** Removes the file that a path leads to. Folders, devices and open descriptors are left alone. */
export async function removeFile(file: string): Promise<void> {
  if ((await descriptorOf(file)) !== undefined) return;
  const place = await placeOf(file);
  const found = await stat(place).catch(() => undefined);
  if (!found?.isFile()) return;
  // In a folder that cannot be written to, the file stays, but not its content.
  await rm(place).catch(() => truncate(place));
}

/** A file and the pieces of its text. */
export interface Draft {
  readonly file: string;
  readonly pieces: Iterable<Printable>;
  /** Its name in an error. */
  readonly label: string;
}

/**
 * Writes files completely or not at all: first to temporary files, then renames them. Pipes, devices and open descriptors are
 * written to directly.
 * @throws Error that names the one that cannot be written
 */
export async function writeFiles(drafts: readonly Draft[]): Promise<void> {
  const aside: { readonly from: string; readonly to: string; readonly label: string }[] = [];
  try {
    for (const { file, pieces, label } of drafts) {
      const descriptor = await descriptorOf(file);
      if (descriptor !== undefined) {
        await explain(label, writeTo(descriptor, pieces));
        continue;
      }
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

/** Standard streams stay open for what else is printed. */
function writeTo(descriptor: number, pieces: Iterable<Printable>): Promise<void> {
  const standard = { 1: process.stdout, 2: process.stderr }[descriptor];
  return standard
    ? pipeline(pieces, standard, { end: false })
    : pipeline(pieces, createWriteStream("", { fd: descriptor }));
}
