import { isObject, type JsonObject } from "./json";

/** A type of JSON values. */
export interface JsonType<T> {
  /** Its words, as in "expected string". `string`, `number` and `boolean` also give an argument its shape. */
  readonly name: string;
  readonly holds: (value: unknown) => value is T;
}

export const jsonType = <T>(name: string, holds: (value: unknown) => boolean): JsonType<T> => ({
  name,
  holds: holds as JsonType<T>["holds"],
});

export const string = jsonType<string>("string", (value) => typeof value === "string");

export const number = jsonType<number>("number", Number.isFinite);

export const boolean = jsonType<boolean>("boolean", (value) => typeof value === "boolean");

export const strings = jsonType<readonly string[]>(
  "an array of strings",
  (value) => Array.isArray(value) && value.every(string.holds),
);

export const object = jsonType<JsonObject>("an object", isObject);
