import { constants } from "node:buffer";
import { readFileSync } from "node:fs";
import { gunzipSync, zstdDecompressSync } from "node:zlib";

/**
 * Reads a JSON file. It may be in UTF-16 or have a byte order mark, like files that PowerShell writes, or be compressed, like
 * files of a backend with PULUMI_DIY_BACKEND_GZIP or PULUMI_DIY_BACKEND_ZSTD.
 * @throws Error that quotes nothing of the file
 */
export function readJsonFile(file: string): unknown {
  const bytes = unpack(readBytes(file), file);
  if (bytes.length > constants.MAX_STRING_LENGTH) throw new Error(`${file}: too long for Node.js to read`);
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

/** Unpacks bytes that begin as compressed ones. */
function unpack(bytes: Buffer, file: string): Buffer {
  const start = bytes.toString("hex", 0, 4);
  const decompress = start === "28b52ffd" ? zstdDecompressSync : start.startsWith("1f8b") ? gunzipSync : undefined;
  try {
    return decompress?.(bytes, { maxOutputLength: constants.MAX_STRING_LENGTH }) ?? bytes;
  } catch (failure) {
    throw new Error(`${file}: cannot be unpacked (${(failure as NodeJS.ErrnoException).code})`);
  }
}

/** The error of `JSON.parse` is not passed on, because it quotes the text. */
export function parseJson(text: string, label: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${label}: not valid JSON`);
  }
}
