import { isObject, type JsonObject } from "./json";
import type { KeysWith } from "./keys";

/** A type of JSON values. */
export interface JsonType<T> {
  /** Its name in messages, as in "expected string". `string`, `number` and `boolean` also give an argument its shape. */
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

/** The object that a table of fields describes, in the order of the table and with its doc comments. */
export type SpecOf<Fields> = { readonly [Key in keyof Fields]?: TypeOf<Fields[Key]> | undefined } & {
  readonly [Key in keyof Pick<Fields, KeysWith<Fields, { readonly required: true }>>]: TypeOf<Fields[Key]>;
};
type TypeOf<Field> = Field extends { readonly response?: JsonType<infer T> } ? T : never;
