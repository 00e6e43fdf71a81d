import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Datasets, type IngestResult, isQueryError, parseEvents } from "./apl";
import { authorizeDataset } from "./auth";
import { HttpError } from "./httpError";
import type { Handler } from "./routing";

/** Adds events (extended interface, "Errors and limits"); they are on disk when it answers. */
export const ingest: Handler = async ({ datasets }, { params: { id = "" }, raw, caller }) => {
  authorizeDataset(caller, id, "ingest", "create");
  const take = takers[raw.contentType];
  if (!take) throw new HttpError(415, `events must be sent as ${Object.keys(takers).join(", ")}`);
  const result = await take(await datasets.get(), id, raw.bytes);
  return { status: 200, body: { ...result, processedBytes: raw.bytes.length } };
};

type Taker = (datasets: Datasets, dataset: string, bytes: Buffer) => Promise<IngestResult>;

const ndjson: Taker = (datasets, dataset, bytes) => {
  const lines = bytes.toString("utf8").split("\n");
  // A line that is no JSON is a failure of its own, which the engine reports as one of an event that is no object.
  return datasets.ingest(
    dataset,
    lines.filter((line) => line.trim() !== "").map((line) => parseEvents(line)?.value),
  );
};

const array: Taker = (datasets, dataset, bytes) => {
  const rows = parseEvents(bytes.toString("utf8"))?.value;
  if (!Array.isArray(rows)) throw new HttpError(400, "the body must be a JSON array of events");
  return datasets.ingest(dataset, rows);
};

/** By way of a file: the database reads CSV, and finds out its columns and types. */
const csv: Taker = async (datasets, dataset, bytes) => {
  const file = path.join(tmpdir(), `event-datasets-${randomUUID()}.csv`);
  try {
    await writeFile(file, bytes, { mode: 0o600 });
    const { rows } = await datasets.load(dataset, file);
    return { ingested: rows, failed: 0, failures: [] };
  } catch (failure) {
    if (isQueryError(failure)) throw new HttpError(400, "the body cannot be read as CSV with a line of names");
    throw failure;
  } finally {
    await rm(file, { force: true });
  }
};

const takers: Readonly<Record<string, Taker | undefined>> = {
  "application/json": array,
  "application/x-ndjson": ndjson,
  "text/csv": csv,
};
