import { randomUUID } from "node:crypto";
import { maxDepth, type RawBody } from "./body";
import { noteDatasets } from "./datasetList";
import type { Events } from "./engine/jobs";
import { HttpError } from "./httpError";
import { isDeeperThan, isObject, parseJson } from "./json";
import type { Call, Handler } from "./routing";

/**
 * Adds events (extended interface, "Errors and limits"; parameters and headers: public reference of the ingest endpoint). The
 * events are on disk before the response is sent.
 */
export const ingest: Handler = async (service, call) => {
  const { datasets, now } = service;
  const { params, query, raw, signal } = call;
  const { id = "" } = params;
  const read = readers[raw.contentType];
  if (!read) throw new HttpError(415, `events must be sent as ${Object.keys(readers).join(", ")}`);
  const input = {
    dataset: id,
    events: read(raw, call),
    write: randomUUID(),
    now: now(),
    timeField: query.get("timestamp-field") || undefined,
    timeFormat: query.get("timestamp-format") || undefined,
    labels: labelsOf(raw.headers["x-axiom-event-labels"]),
  };
  const result = await datasets.run("ingest", input, { signal });
  await noteDatasets(service, call.caller.name);
  // Deprecated members, which clients in Python and Rust still require.
  return { status: 200, body: { ...result, processedBytes: raw.bytes.length, blocksCreated: 0, walLength: 0 } };
};

type Read = (raw: RawBody, call: Call) => Events;

const readers: Readonly<Record<string, Read | undefined>> = {
  "application/json": ({ bytes }) => ({ kind: "json", bytes }),
  "application/x-ndjson": ({ bytes }) => ({ kind: "ndjson", bytes }),
  "application/nd-json": ({ bytes }) => ({ kind: "ndjson", bytes }),
  "text/csv": ({ bytes, headers }, { query }) => {
    const delimiter = query.get("csv-delimiter") || undefined;
    if (delimiter !== undefined && !/^[^"\r\n]$/u.test(delimiter))
      throw new HttpError(400, "csv-delimiter: must be one character, but not a quote or a line break");
    const fields = headers["x-axiom-csv-fields"] || undefined;
    return { kind: "csv", bytes, delimiter, fields: fields?.split(",").map((name) => name.trim()) };
  },
};

/** Fields for all events of a request, as JSON. */
function labelsOf(header: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (!header) return undefined;
  const labels = parseJson(header)?.value;
  if (!isObject(labels)) throw new HttpError(400, "X-Axiom-Event-Labels: must be a JSON object");
  if (isDeeperThan(labels, maxDepth)) throw new HttpError(400, "X-Axiom-Event-Labels: is nested too deeply");
  return labels;
}
