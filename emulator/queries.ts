import type { AplRequest, LegacyRequest } from "./apl";
import { defined } from "./apl/defined";
import { datasetsFor } from "./auth";
import { openDatasets } from "./datasetList";
import {
  anyObject,
  anything,
  boolean,
  type Check,
  checkShape,
  integer,
  listOf,
  object,
  type Shape,
  string,
} from "./fields";
import { badField, HttpError } from "./httpError";
import { isObject } from "./json";
import type { Profile } from "./profiles";
import type { Caller, Handler } from "./routing";

const text = string();

const period = { startTime: text, endTime: text };

/** Members of Axiom's request that change the result, and that the emulator does not have. */
const unsupported = ["includeCursorField", "defaultLimit", "defaultOrder", "libraries", "maxBinAutoGroups"];

const refuse: Check = (_, field) => {
  throw badField(field, "is not supported by the emulator");
};

export const aplShapes: Readonly<Record<Profile, Shape>> = {
  documented: { fields: { apl: string({ min: 1 }), ...period }, required: ["apl"] },
  extended: {
    fields: {
      apl: string({ min: 1 }),
      ...period,
      cursor: text,
      includeCursor: boolean,
      variables: anyObject,
      queryOptions: anyObject,
      ...Object.fromEntries(unsupported.map((field) => [field, refuse])),
    },
    required: ["apl"],
  },
};

const filter: Check = (value, field) =>
  object({
    fields: { caseSensitive: boolean, children: listOf(filter), field: text, op: text, value: anything },
    // The Go client sends a filter without an operator and with a null for "no filter".
    required: isObject(value) && Object.values(value).every((member) => member === null) ? [] : ["op"],
  })(value, field);

const structured = {
  aggregations: listOf(
    object({ fields: { alias: text, argument: anything, field: text, op: text }, required: ["op"] }),
  ),
  continuationToken: text,
  cursor: text,
  ...period,
  filter,
  groupBy: listOf(text),
  includeCursor: boolean,
  limit: integer,
  order: listOf(object({ fields: { field: text, desc: boolean }, required: ["field"] })),
  project: listOf(object({ fields: { field: text, alias: text }, required: ["field"] })),
  queryOptions: object({ fields: { displayNull: text } }),
  resolution: text,
};

const structuredShapes: Readonly<Record<Profile, Shape>> = {
  documented: { fields: structured },
  extended: {
    fields: {
      ...structured,
      queryOptions: anyObject,
      virtualFields: listOf(object({ fields: { alias: text, expr: text }, required: ["alias", "expr"] })),
    },
    // Axiom requires `startTime` and `endTime` too, and takes the zero time of a Go client as "any".
    required: ["resolution"],
  },
};

/** A query in APL. The caller needs the capability to query every dataset that the query names. */
export const queryApl: Handler = async (service, { body, query, caller, signal }) => {
  const { datasets, profile, now } = service;
  checkShape(body, aplShapes[profile]);
  const format = formatOf(query, profile);
  const request = body as unknown as AplRequest;
  await openDatasets(service);
  const input = { request, format, profile, readable: readableDatasets(caller), now: now() };
  return { status: 200, json: await datasets.run("apl", input, { signal }) };
};

/** A structured query over the dataset of the path. */
export const queryDataset: Handler = async (service, call) => {
  const { datasets, profile, now } = service;
  const { params, body, caller, signal } = call;
  const { id = "" } = params;
  checkShape(body, structuredShapes[profile]);
  const { filter, ...rest } = body as LegacyRequest;
  const request = { ...rest, ...defined({ filter: filter?.op === undefined ? undefined : filter }) };
  await openDatasets(service);
  const input = { dataset: id, request, readable: readableDatasets(caller), now: now() };
  return { status: 200, json: await datasets.run("legacy", input, { signal }) };
};

const readableDatasets = (caller: Caller) => datasetsFor(caller, "query", "read");

function formatOf(query: URLSearchParams, profile: Profile): "legacy" | "tabular" {
  const format = query.get("format");
  // The documented interface does not name the parameter; its format is the one with buckets.
  if (profile === "documented") return "legacy";
  if (format !== "legacy" && format !== "tabular")
    throw new HttpError(400, "the query parameter format is required: legacy or tabular");
  return format;
}
