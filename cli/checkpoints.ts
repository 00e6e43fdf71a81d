import path from "node:path";
import { promisify } from "node:util";
import { gunzip, zstdDecompress } from "node:zlib";
import { defined } from "../values/defined";

/** A stack of a self-managed backend. In the old layout, stacks have no project. */
export interface StoredStack {
  readonly project?: string;
  readonly stack: string;
}

/**
 * The name of a state's file without its ending; undefined for other files. The engine compresses states if
 * PULUMI_DIY_BACKEND_GZIP or PULUMI_DIY_BACKEND_ZSTD is set.
 */
export const baseOfCheckpoint = (name: string): string | undefined => /^(.+)\.json(?:\.gz|\.zst)?$/s.exec(name)?.[1];

/** The stack whose present state a file has, by its path below the backend's folder; undefined for other files. */
export function stackOfCheckpoint(inside: string): StoredStack | undefined {
  const [, kind, ...parts] = inside.split(path.sep);
  const stack = baseOfCheckpoint(parts.pop() ?? "");
  if (kind !== "stacks" || stack === undefined || parts.length > 1) return undefined;
  return { ...defined({ project: parts[0] }), stack };
}

const formats = [
  { magic: Buffer.from([0x1f, 0x8b]), unpack: promisify<Buffer, Buffer>(gunzip) },
  { magic: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), unpack: promisify<Buffer, Buffer>(zstdDecompress) },
] as const;

/**
 * Decompresses a state. Like the engine, it goes by the content, because a copy that the engine keeps can have another ending.
 * @throws Error for a truncated gzip stream; a truncated zstd stream yields truncated JSON
 */
export async function unpackCheckpoint(bytes: Buffer): Promise<Buffer> {
  const format = formats.find(({ magic }) => bytes.subarray(0, magic.length).equals(magic));
  return format === undefined ? bytes : format.unpack(bytes);
}
