import { type AplRequest, isQueryError, type LegacyRequest } from "./apl";
import { authorizeDataset } from "./auth";
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
import { HttpError } from "./httpError";
import { isObject } from "./json";
import type { Caller, Handler, Profile } from "./routing";
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

/** A query in the query language, which names its datasets itself: the caller must be allowed to query all of them. */
export const queryApl: Handler = async ({ datasets, profile }, { body, query, caller, signal }) => {
  const sent = withoutNulls(body);
  checkShape(sent, aplShapes[profile]);
  const format = formatOf(query, profile);
  return await answering(async () => {
    const request = withoutZeroTimes(sent) as unknown as AplRequest;
    const engine = await datasets.get();
    const { format: shown, ...result } = await engine.apl(request, { format, authorize: mayQuery(caller), signal });
    return { status: 200, body: profile === "extended" ? { format: shown, ...result } : result };
  });
};

/** A structured query over the dataset of the path. */
export const queryDataset: Handler = async ({ datasets, profile }, { params: { id = "" }, body, caller, signal }) => {
  authorizeDataset(caller, id, "query", "read");
  const sent = withoutQueryNulls(body);
  checkShape(sent, structuredShapes[profile]);
  const request = withoutZeroValues(sent) as LegacyRequest;
  return await answering(async () => {
    const engine = await datasets.get();
    return {
      status: 200,
      body: await engine.legacy(id, request, { authorize: mayQuery(caller), signal }),
    };
  });
};

const mayQuery = (caller: Caller) => (dataset: string) => authorizeDataset(caller, dataset, "query", "read");

function formatOf(query: URLSearchParams, profile: Profile): "legacy" | "tabular" {
  const format = query.get("format");
  // The documented interface does not show what the parameter is called; its form is the one with buckets.
  if (profile === "documented") return "legacy";
  if (format !== "legacy" && format !== "tabular")
    throw new HttpError(400, "the query parameter format is required: legacy or tabular");
  return format;
}

/** Runs a query; one that cannot be answered is the caller's to mend, and hears where. */
export async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    if (!isQueryError(failure)) throw failure;
    const { kind, reason, line, column, message } = failure;
    if (kind === "not-found") throw new HttpError(404, message);
    if (kind === "cancelled") throw new HttpError(499, message); // nobody is there to read it
    const place = line === undefined ? {} : { line, column };
    throw new HttpError(400, message, {}, { message: reason, ...place, errorType: kind });
  }
}
