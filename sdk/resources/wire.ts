import { isObject, withoutNulls } from "../../values/json";
import type { JsonType } from "../../values/jsonType";
import { type Reader, tooDeep } from "../../values/response";
import type { Profile } from "../profiles";
import { findSignOfMore, findTwice } from "./wholeList";

/** One field of an object of the service. */
export interface WireField<T> {
  /** The values that a response may contain there. */
  readonly response: JsonType<T>;
  /** The smallest profile whose requests may contain it. */
  readonly profile: Profile;
  readonly required?: true;
  /** The largest number of characters in the text that Axiom accepts. */
  readonly maxLength?: number;
}

/** An entry for each member of a `Spec`. */
export type WireFields<Spec> = { readonly [Key in keyof Spec]-?: WireField<Exclude<Spec[Key], undefined>> };

/** The members of a `Spec` in a response: present with a value, or absent. */
export type ResponseFields<Spec> = { readonly [Key in keyof Spec]: Exclude<Spec[Key], undefined> };

/** An object in a response: its id, and the fields that could not be read. */
export interface ResponseObject {
  /** Identifier; never empty. */
  readonly id: string;
  /**
   * The fields with an unexpected type, each with the expected type, never with the value. The object lacks these fields, but
   * this does not mean that the service has no value for them.
   */
  readonly odd?: Readonly<Record<string, string>>;
}

/** An entry of a list that could not be read completely. */
export interface OddEntry {
  /** Position in the list, from 0. */
  readonly index: number;
  /** The id. It is absent if the entry has no usable id, so that it could be any object. */
  readonly id?: string;
  /** The expectation that was not met, by field. If the entry has no id, it is about `id` or the whole entry. */
  readonly odd: Readonly<Record<string, string>>;
}

/** The objects of a list in the service's order, if they have an id, and the entries that could not be read. */
export type Listing<T> = T[] & {
  /**
   * Entries with fields of an unexpected type, and entries without an id. An entry without an id could be any object, so an
   * object that is not in the list may still exist.
   */
  readonly odd: readonly OddEntry[];
};

/** The readable parts of an object. */
export type Readable<Spec> = Partial<ResponseFields<Spec>> & ResponseObject;

const withoutId = "expected a string that is not empty";

/**
 * Makes a reader of one object, which must have an id.
 * @param complete converts the readable parts for the caller
 */
export function readObject<Spec, T>(fields: WireFields<Spec>, complete: (object: Readable<Spec>) => T): Reader<T> {
  const entries = Object.entries<WireField<unknown>>(fields);
  return (json) => {
    if (!isObject(json)) return { problem: "the response: expected an object" };
    const { id } = json;
    if (typeof id !== "string" || id === "") return { problem: `id: ${withoutId}` };
    // The compiler cannot follow a loop over the fields; `WireFields` checked each of them.
    return { value: complete(readMembers(id, entries, json) as Readable<Spec>) };
  };
}

/**
 * Makes a reader of a list of objects, which must be complete: an object that is missing from a partial list would
 * count as deleted.
 */
export const readList =
  <T extends ResponseObject>(read: Reader<T>): Reader<Listing<T>> =>
  (json, head) => {
    if (!Array.isArray(json)) return { problem: "the response: expected a list" };
    const sign = findSignOfMore(json.length, head) ?? findTwice(json);
    if (sign !== undefined) return { problem: `the list may be incomplete (${sign}), so it was not used` };
    const objects: T[] = [];
    const entries: OddEntry[] = [];
    for (const [index, entry] of json.entries()) {
      const reading = read(entry);
      if ("problem" in reading) {
        entries.push({ index, odd: isObject(entry) ? { id: withoutId } : { entry: "expected an object" } });
        continue;
      }
      objects.push(reading.value);
      const { id, odd } = reading.value;
      if (odd) entries.push({ index, id, odd });
    }
    // Not enumerable, so that copies, comparisons and prints of the list have only its objects.
    return { value: Object.defineProperty(objects, "odd", { value: entries }) as Listing<T> };
  };

/** Reads the members with the expected type, and notes the odd ones. */
function readMembers(id: string, fields: readonly [string, WireField<unknown>][], json: Record<string, unknown>) {
  const object: Record<string, unknown> = { id };
  let odd: Record<string, string> | undefined;
  for (const [name, field] of fields) {
    const value = json[name];
    if (value === undefined || value === null) continue;
    const reading = readField(field, value);
    if ("value" in reading) object[name] = reading.value;
    else odd = { ...odd, [name]: reading.problem };
  }
  if (odd) object.odd = odd;
  return object;
}

function readField({ response }: WireField<unknown>, value: unknown): ReturnType<Reader<unknown>> {
  try {
    const read = withoutNulls(value);
    return response.holds(read) ? { value: read } : { problem: `expected ${response.name}` };
  } catch (e) {
    if (!(e instanceof RangeError)) throw e;
    return { problem: tooDeep };
  }
}
