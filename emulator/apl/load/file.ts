import { copyFile, link, open, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Connection } from "../duckdb";
import { isQueryError, QueryError } from "../errors";
import { quote } from "../sql";
import { jsonRows } from "./json";
import type { Incoming } from "./source";
import { tableRows } from "./table";

type Format = "json" | "csv" | "parquet";

const formats: readonly (readonly [RegExp, Format])[] = [
  [/\.(ndjson|jsonl|json)(\.gz|\.zst)?$/i, "json"],
  [/\.(csv|tsv)(\.gz|\.zst)?$/i, "csv"],
  [/\.(parquet|pq)$/i, "parquet"],
];

/** Neither dates nor times are guessed in CSV: only `_time` is a time, as in the other formats. */
const readers: Readonly<Record<Format, (path: string) => string>> = {
  json: (path) => `read_json_objects(${path}, format = 'auto')`,
  csv: (path) =>
    `read_csv(${path}, header = true, sample_size = -1, auto_type_candidates = ['BOOLEAN', 'BIGINT', 'DOUBLE', 'VARCHAR'])`,
  parquet: (path) => `read_parquet(${path})`,
};

let loads = 0;

/** Hands the rows of a file to `use`, through a link in the one folder that DuckDB may read. */
export async function withFileRows<T>(
  connection: Connection,
  inbox: string,
  file: string,
  timeField: string,
  use: (incoming: Incoming) => Promise<T>,
): Promise<T> {
  const format = await formatOf(file);
  loads += 1;
  const entry = join(inbox, `${process.pid}-${loads}-${basename(file).replaceAll(/[^\w.-]/g, "_")}`);
  try {
    await link(file, entry).catch(() => copyFile(file, entry));
    const relation = readers[format](quote(entry));
    const rows = format === "json" ? jsonRows : tableRows;
    return await use(await rows(connection, relation, timeField));
  } catch (cause) {
    const reason = (cause as Error).message.split("\n")[0]?.replaceAll(entry, file);
    throw new QueryError("data", `cannot load ${file}: ${reason}`, undefined, isQueryError(cause) ? {} : { cause });
  } finally {
    await rm(entry, { force: true });
  }
}

async function formatOf(file: string): Promise<Format> {
  const named = formats.find(([pattern]) => pattern.test(file))?.[1];
  if (named) return named;
  const handle = await open(file).catch((cause: Error) => {
    throw new QueryError("data", `cannot load ${file}: ${cause.message}`, undefined, { cause });
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0);
    const start = buffer.subarray(0, bytesRead).toString("utf8").trimStart();
    if (start.startsWith("PAR1")) return "parquet";
    return start.startsWith("{") || start.startsWith("[") ? "json" : "csv";
  } finally {
    await handle.close();
  }
}
