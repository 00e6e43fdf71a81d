import { csvEvents, parseEvents } from "../apl";
import { QueryError } from "../apl/errors";
import type { Events } from "./jobs";

/** The events of a request's body. @throws QueryError "data" */
export async function readEvents(events: Events): Promise<readonly unknown[]> {
  if (events.kind === "rows") return events.rows;
  const text = Buffer.from(events.bytes).toString("utf8");
  switch (events.kind) {
    case "json": {
      const rows = parseEvents(text)?.value;
      if (!Array.isArray(rows)) throw new QueryError("data", "the body must be a JSON array of events");
      return rows;
    }
    case "ndjson":
      // A line that is not JSON becomes undefined; the engine reports it as an event that is not an object.
      return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [parseEvents(line)?.value]));
    case "csv":
      return readCsv(text, events);
  }
}

async function readCsv(
  text: string,
  { delimiter = ",", fields }: Extract<Events, { readonly kind: "csv" }>,
): Promise<readonly unknown[]> {
  const rows: unknown[] = [];
  try {
    for await (const some of csvEvents(() => [text], { delimiter, fields }))
      for (const { value } of some) rows.push(value);
    return rows;
  } catch (failure) {
    throw new QueryError("data", `the body is not valid CSV: ${(failure as Error).message}`);
  }
}
