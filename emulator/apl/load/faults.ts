import type { QueryError } from "../errors";
import { type CsvHeader, csvFault, csvRowsOf, isBlankLine, requireWidth } from "./csv";
import { problemOf } from "./event";

type Text = AsyncIterable<string>;

/** Finds why and at which line the database refused a file; undefined if unknown. */
export async function findFault(
  text: Text,
  failure: unknown,
  header: CsvHeader | undefined,
): Promise<QueryError | undefined> {
  if (header) return await csvFaultIn(text, header, failure);
  const message = String((failure as Error).message);
  if (!message.includes("Malformed JSON")) return undefined;
  // In an array the database names the element, and counts from 2.
  const [, element] = /in record\/value (\d+)/.exec(message) ?? [];
  if (element) return csvFault(1, `element ${Math.max(1, Number(element) - 1)} is not valid JSON`);
  for await (const { line, content } of linesOf(text)) {
    if (!isJson(content)) return csvFault(line, "not valid JSON");
  }
  return undefined;
}

async function csvFaultIn(text: Text, header: CsvHeader, failure: unknown): Promise<QueryError | undefined> {
  try {
    for await (const row of csvRowsOf(text, header.delimiter)) {
      if (!isBlankLine(row)) requireWidth(row, header.names.length);
      if (row.values.some((value) => value?.includes("\ufffd"))) return csvFault(row.line, "not valid UTF-8");
    }
  } catch (fault) {
    return fault as QueryError;
  }
  const message = String((failure as Error).message);
  const [, line] = /CSV Error on Line: (\d+)/.exec(message) ?? [];
  if (message.includes("Maximum line size")) return csvFault(Number(line), "the line is too long");
  return message.includes("invalid state") ? csvFault(1, "the lines end in more than one way") : undefined;
}

/** The line on which the nth event of a file starts; undefined for formats without one line for each event. */
export async function lineOfEvent(
  text: Text,
  event: number,
  header: CsvHeader | undefined,
): Promise<number | undefined> {
  let seen = 0;
  if (header) {
    // The line of names is not an event. A blank line is an event only in a file with one column.
    for await (const row of csvRowsOf(text, header.delimiter)) {
      if (isBlankLine(row) && header.names.length > 1) continue;
      if (seen === event) return row.line;
      seen += 1;
    }
    return undefined;
  }
  for await (const { line, content } of linesOf(text)) {
    if (!isJson(content) || content.trimStart().startsWith("[")) return undefined;
    seen += 1;
    if (seen === event) return line;
  }
  return undefined;
}

/** The lines that are not blank. */
async function* linesOf(text: Text): AsyncGenerator<{ readonly line: number; readonly content: string }> {
  let rest = "";
  let line = 0;
  for await (const piece of text) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const content of lines) {
      line += 1;
      if (content.trim() !== "") yield { line, content };
    }
  }
  if (rest.trim() !== "") yield { line: line + 1, content: rest };
}

function isJson(text: string): boolean {
  try {
    return problemOf(JSON.parse(text)) === undefined;
  } catch {
    return false;
  }
}
