import { existsSync } from "node:fs";
import { type FileHandle, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { crc32 } from "node:zlib";
import { maxDepth } from "./body";
import { isDeeperThan, parseJson } from "./json";
import { type Change, isChange } from "./kinds";

const fileName = "journal.jsonl";

const header = JSON.stringify({ journal: "pulumi-event-datasets emulator", version: 2 });

/** A request's depth, plus the levels of a line: its list, the change, the value and `shown`. */
const maxLineDepth = maxDepth + 4;

/**
 * The file of all changes. After a header it has one line for each write: a checksum and a JSON array of its changes. So a
 * write of several changes is stored completely or not at all.
 */
export class Journal {
  readonly #handle: FileHandle;
  #failure: Error | undefined;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** No changes if the folder has no journal yet. */
  static async read(folder: string): Promise<Change[]> {
    const file = path.join(folder, fileName);
    return existsSync(file) ? parseJournal(await readFile(file), file) : [];
  }

  /** Replaces the folder's journal in one step: a crash leaves either the old one or the new one. */
  static async replace(folder: string, changes: Iterable<Change>): Promise<Journal> {
    const file = path.join(folder, fileName);
    const handle = await open(`${file}.new`, "w", 0o600);
    try {
      await handle.writeFile([header, ...Array.from(changes, (change) => writeLine([change])), ""].join("\n"));
      await handle.sync();
      await rename(`${file}.new`, file);
      await syncFolder(folder);
    } catch (failure) {
      await handle.close();
      await rm(`${file}.new`, { force: true });
      throw failure;
    }
    return new Journal(handle);
  }

  /** Resolves once the changes are on the disk. */
  async append(changes: readonly Change[]): Promise<void> {
    if (this.#failure) throw this.#failure;
    const line = `${writeLine(changes)}\n`;
    try {
      await this.#handle.appendFile(line);
      await this.#handle.sync();
    } catch (cause) {
      // A torn line is harmless only as the last one, so nothing may follow it.
      this.#failure = new Error("the journal could not be written; no further write is accepted", { cause });
      throw this.#failure;
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/**
 * The changes of a journal. A last line without a line feed was never acknowledged and is skipped, except for the header,
 * which was complete before the first acknowledgement.
 * @throws Error that names the file and the line of any other damage
 */
export function parseJournal(bytes: Uint8Array, file: string): Change[] {
  const lines = linesOf(bytes);
  const damageError = (line: number, problem: string) => new Error(`${file}:${line}: ${problem}`);
  if (lines.length === 0 || textOf(lines[0]) !== header)
    throw damageError(1, "not a journal of this version of the emulator; move it away to start with an empty one");
  return lines.slice(1).flatMap((line, index) => {
    const json = jsonOf(textOf(line) ?? "");
    if (json === undefined) throw damageError(index + 2, "damaged: the checksum does not match the line");
    const changes = parseJson(json)?.value;
    if (isDeeperThan(changes, maxLineDepth)) throw damageError(index + 2, "damaged: nested too deeply");
    if (!Array.isArray(changes) || !changes.every(isChange))
      throw damageError(index + 2, "damaged: not a list of changes");
    return changes;
  });
}

/** Needed because a damaged line can still be valid JSON, even a list of other changes. */
export const checksumOf = (json: string): string => crc32(json).toString(16).padStart(8, "0");

function writeLine(changes: readonly Change[]): string {
  const json = JSON.stringify(changes);
  return `${checksumOf(json)} ${json}`;
}

/** Undefined if the line's checksum is not that of its JSON. */
function jsonOf(line: string): string | undefined {
  const json = line.slice("00000000 ".length);
  return line === `${checksumOf(json)} ${json}` ? json : undefined;
}

/** Whole lines, without their line feeds. */
function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0, end = bytes.indexOf(0x0a); end >= 0; start = end + 1, end = bytes.indexOf(0x0a, start))
    lines.push(bytes.subarray(start, end));
  return lines;
}

/** Undefined if the line is not UTF-8, so that a damaged name is not read as another name. */
function textOf(line: Uint8Array | undefined): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
  } catch {
    return undefined;
  }
}

/** Without this call, a crash of the machine could undo the rename. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return; // Windows cannot sync a folder
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
