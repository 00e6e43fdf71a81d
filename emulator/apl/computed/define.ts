import { createHash } from "node:crypto";
import type { ScalarType } from "../ast";

/** The type to which an argument is cast; an argument of type `any` is not cast. */
export type Param = ScalarType | "any";

/** The parameters of a function. */
export interface Parameters {
  readonly params: readonly Param[];
  readonly required: number;
  readonly rest: boolean;
}

/** Parses parameters such as `"string, long?"` or `"...any"`: `?` marks an optional parameter, `...` one that can be repeated. */
export function parseParameters(text: string): Parameters {
  const parts = text === "" ? [] : text.split(", ");
  return {
    params: parts.map((part) => part.replace(/^\.\.\.|\?$/g, "") as Param),
    required: parts.filter((part) => !part.endsWith("?")).length,
    rest: parts.at(-1)?.startsWith("...") ?? false,
  };
}

/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A function that the database lacks; it is computed here, row by row. */
export interface ComputedFunction extends Parameters {
  readonly type: ScalarType;
  /**
   * Gets strings, numbers and booleans unchanged, any other value as its JSON value. If a required argument is null, the function
   * is not called, and the result is null. The result undefined stands for null.
   */
  // biome-ignore lint/suspicious/noExplicitAny: each function names the types of its own parameters
  run(...args: any[]): Json | bigint | undefined;
}

export type ComputedFunctions = Readonly<Record<string, ComputedFunction>>;

export const compute = (params: string, type: ScalarType, run: ComputedFunction["run"]): ComputedFunction => ({
  ...parseParameters(params),
  type,
  run,
});

/** The name of a computed function in SQL. */
export const sqlNameOf = (name: string): string => `js_${name}`;

export const isObject = (value: unknown): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const listOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : []);

/** The numbers of a list, including texts that contain a number; any other element becomes null. */
export const numbersOf = (value: Json): readonly (number | null)[] => listOf(value).map(numberOf);

export function numberOf(value: Json): number | null {
  if (typeof value === "number") return value;
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? null : number;
}

/** A string without quotes, anything else as JSON. */
export const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** JSON with the keys of every object in order: the same text for the same value. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const pairs = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${pairs.join(",")}}`;
}

/** 64 bits of a digest, which are the same for a value in every run. */
export function hash(value: Json, salt?: number): bigint {
  const text = salt === undefined ? textOf(value) : `${salt}:${textOf(value)}`;
  return createHash("sha256").update(text).digest().readBigInt64BE();
}
