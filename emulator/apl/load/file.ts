import { createReadStream } from "node:fs";
import { access, copyFile, link, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { PassThrough, pipeline } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import type { Connection } from "../duckdb";
import { QueryError } from "../errors";
import { quote } from "../sql";
import { type CsvHeader, hasHeader, readHeader } from "./csv";
import { csvRows } from "./csvRows";
import { isEventError, loadFailure } from "./failure";
import { findFault, lineOfEvent } from "./faults";
import { jsonRows } from "./json";
import type { Incoming } from "./source";

let loads = 0;

/** Calls `use` with the rows of a file, through a link in the only folder that DuckDB may read. */
export async function withFileRows<T>(
  connection: Connection,
  inbox: string,
  file: string,
  timeField: string,
  use: (incoming: Incoming) => Promise<T>,
): Promise<T> {
  const header = await access(file)
    .then(() => headerOf(file))
    .catch((failure: unknown) => {
      throw loadFailure(failure, file);
    });
  loads += 1;
  const entry = join(inbox, `${process.pid}-${loads}-${basename(file).replaceAll(/[^\w.-]/g, "_")}`);
  try {
    await link(file, entry).catch(() => copyFile(file, entry));
    return await use(await rowsOf(connection, quote(entry), header, timeField));
  } catch (failure) {
    throw loadFailure(await locateFailure(failure, file, header), file);
  } finally {
    await rm(entry, { force: true });
  }
}

/** Neither dates nor times are guessed in CSV: only the time field is a time, as in JSON. */
const rowsOf = (connection: Connection, path: string, header: CsvHeader | undefined, timeField: string) =>
  header
    ? csvRows(connection, path, header, timeField)
    : jsonRows(connection, `read_json_objects(${path}, format = 'auto')`, timeField);

/** Adds the line to a failure. It reads the file again, because the database counts differently. */
async function locateFailure(failure: unknown, file: string, header: CsvHeader | undefined): Promise<unknown> {
  if (isEventError(failure)) {
    const line = await lineOfEvent(textOf(file), failure.event, header);
    return line === undefined ? failure : new QueryError("data", `line ${line}: ${failure.reason}`);
  }
  return (await findFault(textOf(file), failure, header)) ?? failure;
}

/** The line of names of a CSV file; undefined for JSON, which every other file is. */
async function headerOf(file: string): Promise<CsvHeader | undefined> {
  if (!/\.(csv|tsv)(\.gz|\.zst)?$/i.test(file)) return undefined;
  let start = "";
  for await (const text of textOf(file)) {
    start += text;
    if (hasHeader(start)) break;
  }
  return readHeader(start, /\.tsv(\.\w+)?$/i.test(file) ? "\t" : undefined);
}

/** A file's decompressed text, piece by piece. */
async function* textOf(file: string): AsyncGenerator<string> {
  const unpack = /\.gz$/i.test(file)
    ? createGunzip()
    : /\.zst$/i.test(file)
      ? createZstdDecompress()
      : new PassThrough();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  // The loop gets the failure, too.
  for await (const chunk of pipeline(createReadStream(file), unpack, () => undefined))
    yield decoder.decode(chunk as Buffer, { stream: true });
  yield decoder.decode();
}
