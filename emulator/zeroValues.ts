import { defined } from "./apl/defined";
import { isObject, type JsonObject } from "./json";

/** A client in Go, such as the service's own, sends this for a time that is not set. */
const zeroTime = "0001-01-01T00:00:00Z";

export const isZeroTime = (value: unknown): boolean => value === zeroTime;

/** Removes members that are null: a client in Go sends null for a list that is not set. */
export const withoutNulls = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

/** Removes members that are the zero time. */
export const withoutZeroTimes = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => !isZeroTime(value)));

/** Removes the nulls that the service's Go client sends in a structured query; the value of a comparison may be null. */
export function withoutQueryNulls(body: JsonObject): JsonObject {
  const { filter, aggregations, ...rest } = withoutNulls(body);
  return {
    ...rest,
    ...defined({ filter: inObject(filter, withoutFilterNulls), aggregations: inList(aggregations, withoutNulls) }),
  };
}

/** In a filter only `value` may be null: it is compared with. */
function withoutFilterNulls({ value, ...rest }: JsonObject): JsonObject {
  const { children, ...others } = withoutNulls(rest);
  return { ...others, ...defined({ value, children: inList(children, withoutFilterNulls) }) };
}

type Change = (object: JsonObject) => JsonObject;

/** Keeps values of another type, for the check to refuse. */
const inObject = (value: unknown, change: Change): unknown => (isObject(value) ? change(value) : value);

const inList = (value: unknown, change: Change): unknown =>
  Array.isArray(value) ? value.map((element) => inObject(element, change)) : value;

/** Removes values that mean "not set" from a checked structured query: an empty filter, a limit of 0, the zero time. */
export function withoutZeroValues(body: JsonObject): JsonObject {
  const { filter, limit, ...rest } = withoutZeroTimes(body);
  return { ...rest, ...defined({ filter: isEmptyFilter(filter) ? undefined : filter, limit: limit || undefined }) };
}

const isEmptyFilter = (filter: unknown): boolean =>
  !isObject(filter) || ((filter.op === undefined || filter.op === "") && filter.children === undefined);
