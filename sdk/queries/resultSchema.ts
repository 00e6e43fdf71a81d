import * as v from "valibot";
import { type AnswerSchema, isObject } from "../values/json";
import type { Filter } from "./request";
import type { AplResult, DatasetResult, TabularResult } from "./result";
import type { Integer, QueryObject, QueryValue } from "./values";

/** Without the members that are null: the service writes absent as null too. Values of events are not touched. */
const present = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) : value;

const object = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.pipe(v.unknown(), v.transform(present), v.object(entries));

/** An absent list is an empty one: the service writes an empty list as null too. */
const list = <Item>(item: v.GenericSchema<unknown, Item>) => v.optional(v.array(item), () => []);

const text = v.exactOptional(v.string());
const flag = v.exactOptional(v.boolean());
const wholeNumber = v.custom<Integer>((value) => typeof value === "bigint" || Number.isInteger(value), "an integer");
const integer = v.exactOptional(wholeNumber);
const anything = v.pipe(
  v.unknown(),
  v.transform((value) => value as QueryValue),
);
const anyObject = v.custom<QueryObject>(isObject, "an object");
const absentIsNull = v.pipe(
  v.optional(v.unknown(), null),
  v.transform((value) => value as QueryValue),
);
const absentIsEmpty = v.pipe(
  v.optional(v.custom<object>(isObject, "an object"), () => Object.create(null)),
  v.transform((value) => value as QueryObject),
);

const fieldMeta = object({ name: v.string(), type: text, unit: text, description: text, hidden: flag });

const groups = list(
  object({
    id: integer,
    group: absentIsEmpty,
    aggregations: list(object({ op: v.string(), value: absentIsNull })),
  }),
);

const buckets = object({
  series: list(object({ startTime: v.string(), endTime: v.string(), groups })),
  totals: groups,
});

const matches = list(object({ _rowId: text, _sysTime: text, _time: v.string(), data: anyObject }));

const status = object({
  blocksExamined: integer,
  cacheStatus: integer,
  continuationToken: text,
  elapsedTime: integer,
  isEstimate: flag,
  isPartial: flag,
  minBlockTime: text,
  maxBlockTime: text,
  numGroups: integer,
  rowsExamined: integer,
  rowsMatched: integer,
  messages: list(object({ code: text, count: integer, msg: text, priority: text })),
  minCursor: text,
  maxCursor: text,
  blocksCached: integer,
  blocksMatched: integer,
});

const filter: v.GenericSchema<unknown, Filter> = object({
  caseSensitive: flag,
  children: v.exactOptional(v.array(v.lazy(() => filter))),
  field: text,
  op: v.string(),
  value: v.exactOptional(anything),
});

const optionalList = <Item>(item: v.GenericSchema<unknown, Item>) => v.exactOptional(v.array(item));

const order = object({ field: v.string(), desc: flag });

const effectiveRequest = object({
  apl: text,
  startTime: text,
  endTime: text,
  aggregations: optionalList(object({ alias: text, argument: v.exactOptional(anything), field: text, op: v.string() })),
  continuationToken: text,
  cursor: text,
  filter: v.exactOptional(filter),
  groupBy: optionalList(v.string()),
  includeCursor: flag,
  limit: integer,
  order: optionalList(order),
  project: optionalList(object({ field: v.string(), alias: text })),
  queryOptions: v.exactOptional(object({ displayNull: text })),
  resolution: text,
  fieldsMeta: optionalList(fieldMeta),
  virtualFields: optionalList(object({ alias: v.string(), expr: v.string() })),
});

/** A map of names that the service chose: present, without a prototype. */
const fieldsMetaMap = v.optional(
  v.pipe(
    v.custom<Record<string, unknown>>(isObject, "an object"),
    v.transform((map) => Object.entries(map)),
    v.array(v.tuple([v.string(), v.array(fieldMeta)])),
    v.transform((entries) => Object.assign(Object.create(null), Object.fromEntries(entries))),
  ),
  () => Object.create(null),
);

const aplFacts = {
  format: text,
  datasetNames: list(v.string()),
  fieldsMetaMap,
  request: v.exactOptional(effectiveRequest),
};

const column = v.custom<readonly QueryValue[]>(Array.isArray, "an array");

const table = v.pipe(
  object({
    name: v.string(),
    sources: list(object({ name: v.string() })),
    fields: list(object({ name: v.string(), type: text, agg: v.exactOptional(anyObject) })),
    order: list(order),
    groups: list(object({ name: v.string() })),
    range: v.exactOptional(object({ field: v.string(), start: v.string(), end: v.string() })),
    buckets: v.exactOptional(object({ field: v.string(), size: wholeNumber })),
    columns: list(column),
  }),
  v.check(
    ({ fields, columns }) =>
      columns.length === 0 || (columns.length === fields.length && new Set(columns.map((c) => c.length)).size === 1),
    "one column of the same length for each field",
  ),
);

export const datasetResultSchema: AnswerSchema<DatasetResult> = object({
  buckets,
  matches,
  status,
  fieldsMeta: list(fieldMeta),
});

export const aplResultSchema: AnswerSchema<AplResult> = object({ buckets, matches, status, ...aplFacts });

export const tabularResultSchema: AnswerSchema<TabularResult> = object({ tables: v.array(table), status, ...aplFacts });
