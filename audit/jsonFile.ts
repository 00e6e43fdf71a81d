import { constants } from "node:buffer";
import { readFileSync } from "node:fs";

/**
 * Reads a JSON file, also in UTF-16 or with a byte order mark, as PowerShell writes files.
 * @throws Error that quotes nothing of the file
 */
export function readJsonFile(file: string): unknown {
  const bytes = readBytes(file);
  if (bytes.length > constants.MAX_STRING_LENGTH) throw new Error(`${file}: too long for Node.js to read`);
  if (bytes.toString("hex", 0, 2) === "1f8b") throw new Error(`${file}: compressed; unpack it first, with gunzip`);
  if (bytes.toString("hex", 0, 4) === "28b52ffd") throw new Error(`${file}: compressed; unpack it first, with unzstd`);
  const encoding = { fffe: "utf-16le", feff: "utf-16be" }[bytes.toString("hex", 0, 2)] ?? "utf-8";
  return parseJson(new TextDecoder(encoding).decode(bytes), file);
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (failure) {
    throw new Error(`${file}: cannot be read (${(failure as NodeJS.ErrnoException).code})`);
  }
}

/** The error of `JSON.parse` is not passed on, because it quotes the text. */
export function parseJson(text: string, label: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${label}: not complete JSON`);
  }
}
