import * as v from "valibot";
import { type AnswerSchema, describeExpectation, type Reader, tooDeep } from "../../values/answer";
import { isObject, withoutNulls } from "../../values/json";
import type { Profile } from "../operations";
import { findSignOfMore, findTwice } from "./wholeList";

/** One field of an object of the service. */
export interface WireField<T> {
  /** The values that a response may hold there. */
  readonly answer: AnswerSchema<T>;
  /** The smallest profile whose requests may hold it. */
  readonly profile: Profile;
}

/** One entry for each member of a `Spec` and none besides: what is declared in only one of the two does not compile. */
export type WireFields<Spec> = { readonly [Key in keyof Spec]-?: WireField<Exclude<Spec[Key], undefined>> };

/** The members of a `Spec` as an answer holds them: there with a value, or absent. */
export type Answered<Spec> = { readonly [Key in keyof Spec]: Exclude<Spec[Key], undefined> };

/** An object of an answer: its id and the fields that could be read. */
export interface AnsweredObject {
  /** Identifier; never empty. */
  readonly id: string;
  /**
   * The fields of an unexpected shape, each with what was expected there, never with what stood there. They are left out
   * of the object: nothing is known of them, least of all that they are absent.
   */
  readonly odd?: Readonly<Record<string, string>>;
}

/** An entry of a list that could not be read, or not all of it. */
export interface OddEntry {
  /** Position in the list, from 0. */
  readonly index: number;
  /** Absent: the entry has no usable id, so it could be any object. */
  readonly id?: string;
  /** The expectation that was not met, by field; `id` or the whole entry if it has no id. */
  readonly odd: Readonly<Record<string, string>>;
}

/** The objects of a list in the service's order, every one that has an id, and what could not be read. */
export type Listing<T> = T[] & {
  /**
   * Entries with odd fields and entries without an id. While there is one without an id, that an object is not in the list
   * does not mean that it is gone.
   */
  readonly odd: readonly OddEntry[];
};

/** The parts of an object that could be read. */
export type Readable<Spec> = Partial<Answered<Spec>> & AnsweredObject;

const nonEmptyText = v.pipe(v.string(), v.nonEmpty());
const withoutId = "expected a string that is not empty";

/**
 * Reads one object: usable if it has an id.
 * @param complete makes of what could be read what a caller gets
 */
export function readObject<Spec, T>(fields: WireFields<Spec>, complete: (object: Readable<Spec>) => T): Reader<T> {
  const entries = Object.entries<WireField<unknown>>(fields);
  return (json) => {
    if (!isObject(json)) return { problem: "the answer: expected an object" };
    const { id } = json;
    if (!v.is(nonEmptyText, id)) return { problem: `id: ${withoutId}` };
    // The compiler cannot follow a loop over the fields; `WireFields` has checked each of them.
    return { value: complete(readMembers(id, entries, json) as Readable<Spec>) };
  };
}

/**
 * Reads a list of objects: usable if it is a list, and the whole one. An object that is missing from a part of a list would
 * count as deleted.
 */
export const readList =
  <T extends AnsweredObject>(read: Reader<T>): Reader<Listing<T>> =>
  (json, head) => {
    if (!Array.isArray(json)) return { problem: "the answer: expected a list" };
    const sign = findSignOfMore(json.length, head) ?? findTwice(json);
    if (sign !== undefined) return { problem: `the list is not whole (${sign}), so nothing was concluded from it` };
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
    // Not enumerable: whoever copies, compares or prints the list means its objects.
    return { value: Object.defineProperty(objects, "odd", { value: entries }) as Listing<T> };
  };

/** The id with the members that are there and have the expected shape, and the odd ones. */
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

function readField({ answer }: WireField<unknown>, value: unknown): ReturnType<Reader<unknown>> {
  try {
    const result = v.safeParse(answer, withoutNulls(value));
    return result.success ? { value: result.output } : { problem: describeExpectation(result.issues[0]) };
  } catch (e) {
    if (!(e instanceof RangeError)) throw e;
    return { problem: tooDeep };
  }
}
