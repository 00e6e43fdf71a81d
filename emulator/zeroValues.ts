import { defined } from "./apl";
import { isObject, type JsonObject } from "./json";

/** How a client in Go, such as the service's own, writes a time that was not given. */
const zeroTime = "0001-01-01T00:00:00Z";

export const isZeroTime = (value: unknown): boolean => value === zeroTime;

/** The members that are not null: a client in Go sends null for a list that is not given. */
export const withoutNulls = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

/** A request without the members that hold the time that stands for none. */
export const withoutZeroTimes = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => !isZeroTime(value)));

/** A structured query without nulls where the service's Go client sends them: any value but that of a comparison. */
export function withoutQueryNulls(body: JsonObject): JsonObject {
  const { filter, aggregations, ...rest } = withoutNulls(body);
  return {
    ...rest,
    ...defined({ filter: inObject(filter, withoutFilterNulls), aggregations: inList(aggregations, withoutNulls) }),
  };
}

/** Null is a value to compare with, and nothing else in a filter. */
function withoutFilterNulls({ value, ...rest }: JsonObject): JsonObject {
  const { children, ...others } = withoutNulls(rest);
  return { ...others, ...defined({ value, children: inList(children, withoutFilterNulls) }) };
}

type Change = (object: JsonObject) => JsonObject;

/** Values of another type are left for the check to refuse. */
const inObject = (value: unknown, change: Change): unknown => (isObject(value) ? change(value) : value);

const inList = (value: unknown, change: Change): unknown =>
  Array.isArray(value) ? value.map((element) => inObject(element, change)) : value;

/** A structured query, already checked, without the values that stand for nothing: an empty filter, a limit of 0. */
export function withoutZeroValues(body: JsonObject): JsonObject {
  const { filter, limit, ...rest } = withoutZeroTimes(body);
  return { ...rest, ...defined({ filter: isEmptyFilter(filter) ? undefined : filter, limit: limit || undefined }) };
}

const isEmptyFilter = (filter: unknown): boolean =>
  !isObject(filter) || ((filter.op === undefined || filter.op === "") && filter.children === undefined);
