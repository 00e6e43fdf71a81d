import * as v from "valibot";
import { emptyObject, isObject } from "../../values/json";
import type { KeysWith } from "../../values/keys";
import type { ResponseSchema } from "../../values/responseSchema";
import type { Integer, QueryObject, QueryValue } from "./values";

/** A member that may be absent. */
export interface Optional<T> {
  readonly optional: ResponseSchema<T>;
}

/** The members of an object, by name. */
type Members = Readonly<Record<string, ResponseSchema<unknown> | Optional<unknown>>>;

/** The object with these members, in the order of the table and with its doc comments. */
export type ObjectOf<Table> = OptionalOf<Table> & RequiredOf<Pick<Table, KeysWith<Table, ResponseSchema<unknown>>>>;
type OptionalOf<Table> = { readonly [Key in keyof Table]?: ValueOf<Table[Key]> };
type RequiredOf<Table> = { readonly [Key in keyof Table]: ValueOf<Table[Key]> };
type ValueOf<Entry> = Entry extends Optional<infer T> ? T : Entry extends ResponseSchema<infer T> ? T : never;

export const optional = <T>(schema: ResponseSchema<T>): Optional<T> => ({ optional: schema });

/**
 * Drops members that are null: the service also writes an absent member as null. Does not change the values of
 * events.
 */
const dropNulls = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) : value;

/** Unknown members are dropped. */
export function object<Table extends Members>(table: Table): ResponseSchema<ObjectOf<Table>> {
  const members = Object.entries(table).map(
    ([name, entry]) => [name, "optional" in entry ? v.exactOptional(entry.optional) : entry] as const,
  );
  const schema = v.pipe(v.unknown(), v.transform(dropNulls), v.object(Object.fromEntries(members)));
  return schema as ResponseSchema<unknown> as ResponseSchema<ObjectOf<Table>>;
}

/** An absent list is empty: the service also writes an empty list as null. */
export const list = <Item>(item: ResponseSchema<Item>): ResponseSchema<readonly Item[]> =>
  v.optional(v.array(item), () => []);

export const text: ResponseSchema<string> = v.string();
export const flag: ResponseSchema<boolean> = v.boolean();
export const integer: ResponseSchema<Integer> = v.custom<Integer>(
  (value) => typeof value === "bigint" || Number.isInteger(value),
  "an integer",
);
export const anyObject: ResponseSchema<QueryObject> = v.custom<QueryObject>(isObject, "an object");

export const objectOrEmpty: ResponseSchema<QueryObject> = v.optional(anyObject, emptyObject<QueryValue>);

export const valueOrNull: ResponseSchema<QueryValue> = v.pipe(
  v.optional(v.unknown(), null),
  v.transform((value) => value as QueryValue),
);

/** A map whose keys the service chooses. It has no prototype, so no key is inherited. */
export const mapOrEmpty = <T>(value: ResponseSchema<T>): ResponseSchema<{ readonly [name: string]: T }> =>
  v.optional(
    v.pipe(
      anyObject,
      v.transform((map): [string, unknown][] => Object.entries(map)),
      v.array(v.tuple([v.string(), value])),
      v.transform((entries) => Object.assign(emptyObject<T>(), Object.fromEntries(entries))),
    ),
    emptyObject<T>,
  );
