import type { AplRequest, LegacyRequest } from "./apl";
import { isQueryError, type QueryErrorKind } from "./apl/errors";
import { datasetsFor } from "./auth";
import { anyObject, anything, boolean, type Check, integer, listOf, object, type Shape, string } from "./fields";
import { HttpError } from "./httpError";
import { isObject } from "./json";
import { checkBody, type Profile, profileHint } from "./profiles";
import type { Caller, Handler } from "./routing";
import { withoutNulls, withoutQueryNulls, withoutZeroTimes, withoutZeroValues } from "./zeroValues";

const text = string();

const period = { startTime: text, endTime: text };

const aplShapes: Readonly<Record<Profile, Shape>> = {
  documented: { fields: { apl: string({ min: 1 }), ...period }, required: ["apl"] },
  extended: {
    fields: {
      apl: string({ min: 1 }),
      ...period,
      cursor: text,
      includeCursor: boolean,
      variables: anyObject,
      queryOptions: anyObject,
    },
    required: ["apl"],
  },
};

const filter: Check = (value, field) =>
  object({
    fields: { caseSensitive: boolean, children: listOf(filter), field: text, op: text, value: anything },
    required: isObject(value) && Object.keys(value).length === 0 ? [] : ["op"],
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
    required: ["startTime", "endTime", "resolution"],
  },
};

/** A query in the query language. The caller needs the right to query every dataset that the query names. */
export const queryApl: Handler = async ({ datasets, profile, now }, { body, query, caller, signal }) => {
  const sent = withoutNulls(body);
  checkBody(sent, profile, aplShapes);
  const format = formatOf(query, profile);
  return await translateQueryErrors(async () => {
    const request = withoutZeroTimes(sent) as unknown as AplRequest;
    const input = { request, format, form: profile, readable: readableDatasets(caller), now: now() };
    return { status: 200, json: await datasets.run("apl", input, { signal }) };
  });
};

/** A structured query over the dataset of the path. */
export const queryDataset: Handler = async ({ datasets, profile, now }, call) => {
  const { params, body, caller, signal } = call;
  const { id = "" } = params;
  const sent = withoutQueryNulls(body);
  checkBody(sent, profile, structuredShapes);
  const request = withoutZeroValues(sent) as LegacyRequest;
  return await translateQueryErrors(async () => {
    const input = { dataset: id, request, readable: readableDatasets(caller), now: now() };
    return { status: 200, json: await datasets.run("legacy", input, { signal }) };
  });
};

const readableDatasets = (caller: Caller) => datasetsFor(caller, "query", "read");

function formatOf(query: URLSearchParams, profile: Profile): "legacy" | "tabular" {
  const format = query.get("format");
  // The documented interface does not name the parameter; its format is the one with buckets.
  if (profile === "documented") return "legacy";
  if (format !== "legacy" && format !== "tabular")
    throw new HttpError(
      400,
      `the query parameter format is required: legacy or tabular; without it, ${profileHint(profile)}`,
    );
  return format;
}

/** A limit is not 408: clients retry a 408, and the query would take as long again. */
const statuses: Readonly<Record<QueryErrorKind, number>> = {
  syntax: 400,
  unsupported: 400,
  semantic: 400,
  data: 400,
  "not-found": 404,
  forbidden: 403,
  cancelled: 499, // nobody is there to read it
  limit: 422,
  unavailable: 501,
};

/** Runs a query, and turns its error into a refusal that names the place in the query. */
export async function translateQueryErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    if (!isQueryError(failure)) throw failure;
    const { kind, reason, line, column, message } = failure;
    const place = line === undefined ? {} : { line, column };
    const detail = { message: reason, ...place, errorType: kind };
    const status = statuses[kind];
    throw new HttpError(status, message, {}, status === 400 || status === 422 ? detail : undefined);
  }
}
