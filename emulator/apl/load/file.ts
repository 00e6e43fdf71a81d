import { createReadStream } from "node:fs";
import { PassThrough, pipeline } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import type { Connection } from "../duckdb";
import { csvEvents } from "./csvEvents";
import { lineFault, loadFailure } from "./failure";
import { type CheckOptions, checkRow, staged } from "./ingest";
import { jsonEvents } from "./jsonEvents";
import type { FileEvent } from "./source";

const batchSize = 10_000;

/**
 * Stages the events of a file: CSV if its name says so, otherwise JSON.
 * @throws QueryError that names the file and the line, and quotes nothing of it
 */
export async function stageFile(connection: Connection, file: string, options: CheckOptions): Promise<void> {
  let texts: string[] = [];
  try {
    for await (const events of eventsOf(file)) {
      for (const { line, value } of events) {
        const checked = checkRow(value, options);
        if ("problem" in checked) throw lineFault(line, checked.problem);
        texts.push(checked.text);
      }
      if (texts.length < batchSize) continue;
      await connection.appendStrings(staged, texts);
      texts = [];
    }
    await connection.appendStrings(staged, texts);
  } catch (failure) {
    throw loadFailure(failure, file);
  }
}

function eventsOf(file: string): AsyncIterable<FileEvent[]> {
  const [, kind] = /\.(csv|tsv)(?:\.gz|\.zst)?$/i.exec(file) ?? [];
  const open = () => textOf(file);
  return kind === undefined ? jsonEvents(open()) : csvEvents(open, { delimiter: /tsv/i.test(kind) ? "\t" : undefined });
}

/** A file's decompressed text, piece by piece. */
async function* textOf(file: string): AsyncGenerator<string> {
  const unpack = /\.gz$/i.test(file)
    ? createGunzip()
    : /\.zst$/i.test(file)
      ? createZstdDecompress()
      : new PassThrough();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
  let line = 1;
  // The loop gets the failure, too.
  for await (const chunk of pipeline(createReadStream(file), unpack, () => undefined)) {
    const text = decode(() => decoder.decode(chunk as Buffer, { stream: true }), chunk as Buffer, line);
    line += countLines(text);
    yield text;
  }
  yield decode(() => decoder.decode(), Buffer.of(), line);
}

function decode(work: () => string, bytes: Buffer, line: number): string {
  try {
    return work();
  } catch {
    const [before = ""] = bytes.toString().split("\ufffd");
    throw lineFault(line + countLines(before), "not valid UTF-8");
  }
}

const countLines = (text: string): number => text.split("\n").length - 1;
