import { defined, isQueryError, parseCsv, parseEvents } from "./apl";
import { authorizeDataset } from "./auth";
import type { RawBody } from "./body";
import { timeReader } from "./goTime";
import { HttpError } from "./httpError";
import { isObject, parseJson } from "./json";
import type { Call, Handler } from "./routing";

/**
 * Adds events (extended interface, "Errors and limits"; its parameters and headers: public reference of the ingest
 * endpoint). They are on disk when it answers.
 */
export const ingest: Handler = async ({ datasets }, call) => {
  const { params, query, raw, caller } = call;
  const { id = "" } = params;
  authorizeDataset(caller, id, "ingest", "create");
  const read = readers[raw.contentType];
  if (!read) throw new HttpError(415, `events must be sent as ${Object.keys(readers).join(", ")}`);
  const timeFormat = query.get("timestamp-format") || undefined;
  const options = defined({
    timeField: query.get("timestamp-field") || undefined,
    parseTime: timeFormat === undefined ? undefined : timeReader(timeFormat),
    labels: labelsOf(raw.headers["x-axiom-event-labels"]),
  });
  const events = read(raw, call);
  const result = await (await datasets.get()).ingest(id, events, options);
  return { status: 200, body: { ...result, processedBytes: raw.bytes.length } };
};

type Read = (raw: RawBody, call: Call) => readonly unknown[];

const readers: Readonly<Record<string, Read | undefined>> = {
  "application/json": ({ bytes }) => {
    const rows = parseEvents(bytes.toString("utf8"))?.value;
    if (!Array.isArray(rows)) throw new HttpError(400, "the body must be a JSON array of events");
    return rows;
  },

  "application/x-ndjson": ({ bytes }) => {
    const lines = bytes.toString("utf8").split("\n");
    // A line that is not JSON is a failure of its own, which the engine reports as one of an event that is no object.
    return lines.filter((line) => line.trim() !== "").map((line) => parseEvents(line)?.value);
  },

  "text/csv": ({ bytes, headers }, { query }) => {
    const delimiter = query.get("csv-delimiter") || undefined;
    if (delimiter !== undefined && !/^[^"\r\n]$/u.test(delimiter))
      throw new HttpError(400, "csv-delimiter: must be one character, and neither a quote nor a line's end");
    const fields = headers["x-axiom-csv-fields"] || undefined;
    try {
      return parseCsv(
        bytes.toString("utf8"),
        defined({ delimiter, fields: fields?.split(",").map((name) => name.trim()) }),
      );
    } catch (failure) {
      throw isQueryError(failure) ? new HttpError(400, `the body is not valid CSV: ${failure.message}`) : failure;
    }
  },
};

/** Fields for all events of a request, as JSON. */
function labelsOf(header: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (!header) return undefined;
  const labels = parseJson(header)?.value;
  if (!isObject(labels)) throw new HttpError(400, "X-Axiom-Event-Labels: must be a JSON object");
  return labels;
}
