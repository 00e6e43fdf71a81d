import * as v from "valibot";
import { emptyObject, isObject } from "../../values/json";
import type { Reader } from "../../values/response";
import { type ResponseSchema, readBySchema } from "../../values/responseSchema";
import type { Order } from "./request";
import type {
  AggregationValue,
  AplFacts,
  AplResult,
  Buckets,
  DatasetResult,
  FieldMeta,
  Group,
  Interval,
  Match,
  QueryStatus,
  StatusMessage,
  Table,
  TableField,
  TabularResult,
} from "./result";
import type { Integer, QueryObject, QueryValue } from "./values";

/**
 * Drops members that are null: the service also writes an absent member as null. Does not change the values of
 * events.
 */
const dropNulls = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) : value;

/** A member that may be absent. */
interface OptionalEntry<T> {
  readonly optional: ResponseSchema<T>;
}

const optional = <T>(schema: ResponseSchema<T>): OptionalEntry<T> => ({ optional: schema });

/** Exactly one entry for each member of T, optional if the member is: the compiler keeps T and its schema equal. */
type EntriesOf<T> = {
  readonly [Key in keyof T]-?: Partial<Pick<T, Key>> extends Pick<T, Key>
    ? OptionalEntry<Exclude<T[Key], undefined>>
    : ResponseSchema<T[Key]>;
};

/** The schema of a type, which the caller names: `object<Group>({ … })`. Unknown members are dropped. */
function object<T extends object>(entries: EntriesOf<T>): ResponseSchema<T> {
  const members = Object.entries<ResponseSchema<unknown> | OptionalEntry<unknown>>(entries).map(
    ([name, entry]) => [name, "optional" in entry ? v.exactOptional(entry.optional) : entry] as const,
  );
  return v.pipe(
    v.unknown(),
    v.transform(dropNulls),
    v.object(Object.fromEntries(members)),
  ) as ResponseSchema<unknown> as ResponseSchema<T>;
}

/** An absent list is empty: the service also writes an empty list as null. */
const list = <Item>(item: ResponseSchema<Item>): ResponseSchema<readonly Item[]> => v.optional(v.array(item), () => []);

const text = optional(v.string());
const flag = optional(v.boolean());
const wholeNumber = v.custom<Integer>((value) => typeof value === "bigint" || Number.isInteger(value), "an integer");
const integer = optional(wholeNumber);
const anyObject = v.custom<QueryObject>(isObject, "an object");
const absentIsNull = v.pipe(
  v.optional(v.unknown(), null),
  v.transform((value) => value as QueryValue),
);
const absentIsEmpty = v.pipe(
  v.optional(v.custom<object>(isObject, "an object"), emptyObject),
  v.transform((value) => value as QueryObject),
);

const fieldMeta = object<FieldMeta>({ name: v.string(), type: text, unit: text, description: text, hidden: flag });

const groups = list(
  object<Group>({
    id: integer,
    group: absentIsEmpty,
    aggregations: list(object<AggregationValue>({ op: v.string(), value: absentIsNull })),
  }),
);

const buckets = object<Buckets>({
  series: list(object<Interval>({ startTime: v.string(), endTime: v.string(), groups })),
  totals: groups,
});

const matches = list(object<Match>({ _rowId: text, _sysTime: text, _time: v.string(), data: anyObject }));

const status = object<QueryStatus>({
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
  messages: list(object<StatusMessage>({ code: text, count: integer, msg: text, priority: text })),
  minCursor: text,
  maxCursor: text,
  blocksCached: integer,
  blocksMatched: integer,
});

const order = object<Order>({ field: v.string(), desc: flag });

/** A map with names of the service's choice: without a prototype. */
const fieldsMetaMap = v.optional(
  v.pipe(
    v.custom<Record<string, unknown>>(isObject, "an object"),
    v.transform((map) => Object.entries(map)),
    v.array(v.tuple([v.string(), v.array(fieldMeta)])),
    v.transform((entries) => Object.assign(emptyObject(), Object.fromEntries(entries))),
  ),
  emptyObject,
);

const aplFacts = {
  format: text,
  datasetNames: list(v.string()),
  fieldsMetaMap,
  request: optional(anyObject),
} satisfies EntriesOf<AplFacts>;

const column = v.custom<readonly QueryValue[]>(Array.isArray, "an array");

const table = v.pipe(
  object<Table>({
    name: v.string(),
    sources: list(object<Table["sources"][number]>({ name: v.string() })),
    fields: list(object<TableField>({ name: v.string(), type: text, agg: optional(anyObject) })),
    order: list(order),
    groups: list(object<Table["groups"][number]>({ name: v.string() })),
    range: optional(object<Required<Table>["range"]>({ field: v.string(), start: v.string(), end: v.string() })),
    buckets: optional(object<Required<Table>["buckets"]>({ field: v.string(), size: wholeNumber })),
    columns: list(column),
  }),
  v.check(
    ({ fields, columns }) =>
      columns.length === 0 || (columns.length === fields.length && new Set(columns.map((c) => c.length)).size === 1),
    "one column of the same length for each field",
  ),
);

/** Reads the response to a structured query. */
export const readDatasetResult: Reader<DatasetResult> = readBySchema(
  object<DatasetResult>({ buckets, matches, status, fieldsMeta: list(fieldMeta) }),
);

/** Reads the response to a query in the query language, in the documented form. */
export const readAplResult: Reader<AplResult> = readBySchema(
  object<AplResult>({ buckets, matches, status, ...aplFacts }),
);

/** Reads the response to a query in the query language, as tables. */
export const readTabularResult: Reader<TabularResult> = readBySchema(
  object<TabularResult>({ tables: v.array(table), status, ...aplFacts }),
);
