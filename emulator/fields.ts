import { quoteName } from "./apl/errors";
import { badField } from "./httpError";
import { isObject, type JsonObject } from "./json";

/** Throws a 400 that names the field and never its value. */
export type Check = (value: unknown, field: string) => void;

/** Which fields an object may have. */
export interface Shape {
  readonly fields: Readonly<Record<string, Check>>;
  readonly required?: readonly string[];
}

/**
 * Unknown fields are refused too; otherwise they would be lost silently.
 * @throws HttpError
 */
export function checkShape(object: JsonObject, shape: Shape, parent = ""): void {
  const fieldOf = (key: string) => (parent === "" ? key : `${parent}.${key}`);
  for (const [key, value] of Object.entries(object)) {
    const check = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
    if (!check) throw badField(quoteName(fieldOf(key)), "there is no such field");
    check(value, fieldOf(key));
  }
  for (const key of shape.required ?? []) {
    if (!Object.hasOwn(object, key)) throw badField(fieldOf(key), "is required");
  }
}

export const string =
  (limits: { readonly min?: number; readonly max?: number; readonly pattern?: RegExp } = {}): Check =>
  (value, field) => {
    if (typeof value !== "string") throw badField(field, "must be a string");
    if (value.length < (limits.min ?? 0)) throw badField(field, "must not be empty");
    if (value.length > (limits.max ?? Number.POSITIVE_INFINITY))
      throw badField(field, `must not be longer than ${limits.max} characters`);
    if (limits.pattern && !limits.pattern.test(value)) throw badField(field, `must match ${limits.pattern.source}`);
  };

export const instant: Check = (value, field) => {
  if (typeof value !== "string" || utc(value) === undefined)
    throw badField(field, "must be an RFC 3339 date and time with a zone, such as 2027-01-31T12:00:00Z");
};

export const listOf =
  (check: Check, min = 0): Check =>
  (value, field) => {
    if (!Array.isArray(value)) throw badField(field, "must be an array");
    if (value.length < min) throw badField(field, `must have at least ${min} element`);
    for (const [index, element] of value.entries()) check(element, `${field}[${index}]`);
  };

/** Accepts any value. */
export const anything: Check = () => undefined;

export const boolean: Check = (value, field) => {
  if (typeof value !== "boolean") throw badField(field, "must be true or false");
};

export const integer: Check = (value, field) => {
  if (!Number.isInteger(value)) throw badField(field, "must be a whole number");
};

export const anyObject: Check = (value, field) => {
  if (!isObject(value)) throw badField(field, "must be an object");
};

export const object =
  (shape: Shape): Check =>
  (value, field) => {
    if (!isObject(value)) throw badField(field, "must be an object");
    checkShape(value, shape, field);
  };

const form = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(\.\d+)?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** An RFC 3339 timestamp written in UTC with `Z`; undefined for anything else, such as 30 February. */
export function utc(text: string): string | undefined {
  const [, date, time, fraction = "", sign, hours = "0", minutes = "0"] = form.exec(text) ?? [];
  const local = Date.parse(`${date}T${time}Z`);
  // Date.parse turns 30 February into March, so compare the result with the text.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(`${date}T${time}`)) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === "-" ? -1 : 1);
  const iso = new Date(local - offset).toISOString();
  return iso.length === 24 ? `${iso.slice(0, 19)}${fraction}Z` : undefined; // longer if the year does not have four digits
}

/** An instant as milliseconds since 1970; NaN for anything else. */
export const epochOf = (value: unknown): number => Date.parse((typeof value === "string" && utc(value)) || "");
