import { isObject, type JsonObject } from "./json";

/**
 * How clients write "not set": null, or the zero value of their language for a time. Python and Go send such members instead of
 * leaving them out.
 */
const isUnset = (value: unknown): boolean => value === null || value === "0001-01-01T00:00:00Z";

/** In a query an empty text, 0 and false mean "not set" too. In an object they are values: a description may be empty. */
const isUnsetInQuery = (value: unknown): boolean => isUnset(value) || value === "" || value === 0 || value === false;

/** Reads a body without the members that are not set, such as null. Members named in `kept` are data and stay as they are. */
export type Door = (body: JsonObject) => JsonObject;

const without =
  (isAbsent: (value: unknown) => boolean, kept: readonly string[] = []): Door =>
  (body) => {
    const clean = (value: unknown): unknown =>
      Array.isArray(value) ? value.map(clean) : isObject(value) ? cleanObject(value) : value;
    const cleanObject = (object: JsonObject): JsonObject =>
      Object.fromEntries(
        Object.entries(object).flatMap(([key, value]) => {
          if (kept.includes(key)) return [[key, value]];
          return isAbsent(value) ? [] : [[key, clean(value)]];
        }),
      );
    return cleanObject(body);
  };

export const readObject = without(isUnset);

/** A filter compares with any `value`, and `variables` may have any value. */
export const readQuery = without(isUnsetInQuery, ["value", "variables"]);
