import { createReadStream } from "node:fs";
import { copyFile, link, open, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Readable } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import type { Connection } from "../duckdb";
import { QueryError } from "../errors";
import { quote } from "../sql";
import { type CsvHeader, hasHeader, readHeader } from "./csv";
import { csvRows } from "./csvRows";
import { isEventError, loadFailure } from "./failure";
import { type Format, findFault, lineOfEvent } from "./faults";
import { jsonRows } from "./json";
import type { Incoming } from "./source";
import { tableRows } from "./table";

const formats: readonly (readonly [RegExp, Format])[] = [
  [/\.(ndjson|jsonl|json)(\.gz|\.zst)?$/i, "json"],
  [/\.(csv|tsv)(\.gz|\.zst)?$/i, "csv"],
  [/\.(parquet|pq)$/i, "parquet"],
];

/** In bytes. A thread reads some megabytes of a file at once, or a block of rows of Parquet. */
const largeFile = 4_194_304;

/** Whether the files are large enough for a second thread. */
export async function areLarge(files: readonly string[]): Promise<boolean> {
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.some((size) => size > largeFile);
}

let loads = 0;

/** Calls `use` with the rows of a file, through a link in the only folder that DuckDB may read. */
export async function withFileRows<T>(
  connection: Connection,
  inbox: string,
  file: string,
  timeField: string,
  use: (incoming: Incoming) => Promise<T>,
): Promise<T> {
  const source = await sourceOf(file).catch((failure: unknown) => {
    throw loadFailure(failure, file);
  });
  loads += 1;
  const entry = join(inbox, `${process.pid}-${loads}-${basename(file).replaceAll(/[^\w.-]/g, "_")}`);
  try {
    await link(file, entry).catch(() => copyFile(file, entry));
    return await use(await rowsOf(connection, quote(entry), source, timeField));
  } catch (failure) {
    throw loadFailure(await locateFailure(failure, file, source), file);
  } finally {
    await rm(entry, { force: true });
  }
}

interface Source {
  readonly format: Format;
  /** Only for CSV. */
  readonly header?: CsvHeader;
}

async function sourceOf(file: string): Promise<Source> {
  const format = formats.find(([pattern]) => pattern.test(file))?.[1] ?? (await formatByContent(file));
  return format === "csv" ? { format, header: await headerOf(file) } : { format };
}

function rowsOf(
  connection: Connection,
  path: string,
  { format, header }: Source,
  timeField: string,
): Promise<Incoming> {
  // Neither dates nor times are guessed in CSV: only the time field is a time, as in the other formats.
  if (header) return csvRows(connection, path, header, timeField);
  return format === "json"
    ? jsonRows(connection, `read_json_objects(${path}, format = 'auto')`, timeField)
    : tableRows(connection, `read_parquet(${path})`, timeField);
}

/** Adds the line to a failure. It reads the file again, because the database counts differently. */
async function locateFailure(failure: unknown, file: string, { format, header }: Source): Promise<unknown> {
  if (isEventError(failure)) {
    const line = await lineOfEvent(textOf(file), failure.event, format, header);
    return line === undefined ? failure : new QueryError("data", `line ${line}: ${failure.reason}`);
  }
  return (await findFault(textOf(file), failure, format, header)) ?? failure;
}

async function headerOf(file: string): Promise<CsvHeader> {
  let start = "";
  for await (const text of textOf(file)) {
    start += text;
    if (hasHeader(start)) break;
  }
  return readHeader(start, /\.tsv(\.\w+)?$/i.test(file) ? "\t" : undefined);
}

/** A file's decompressed text, piece by piece. */
async function* textOf(file: string): AsyncGenerator<string> {
  const bytes = createReadStream(file);
  const unpacked: Readable = /\.gz$/i.test(file)
    ? bytes.on("error", (failure) => unpacked.destroy(failure)).pipe(createGunzip())
    : /\.zst$/i.test(file)
      ? bytes.on("error", (failure) => unpacked.destroy(failure)).pipe(createZstdDecompress())
      : bytes;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  try {
    for await (const chunk of unpacked) yield decoder.decode(chunk as Buffer, { stream: true });
    yield decoder.decode();
  } finally {
    bytes.destroy();
  }
}

async function formatByContent(file: string): Promise<Format> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0);
    const start = buffer.subarray(0, bytesRead).toString("utf8").trimStart();
    if (start.startsWith("PAR1")) return "parquet";
    return start.startsWith("{") || start.startsWith("[") ? "json" : "csv";
  } finally {
    await handle.close();
  }
}
