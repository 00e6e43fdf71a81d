import type { ScalarType } from "../ast";

/** The type of an argument. Texts, numbers and booleans are passed unchanged, any other value as its JSON value. */
export type Kind = "string" | "long" | "real" | "bool" | "dynamic" | "any";

/** A value as JSON has it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A function that the database lacks; it is computed here, row by row. */
export interface ComputedFunction {
  /** Such as `"string, long?"`; `?` marks an optional parameter. */
  readonly params: string;
  readonly type: ScalarType;
  /** Not called if a required argument is null: the result is null then. Undefined stands for null. */
  // biome-ignore lint/suspicious/noExplicitAny: each function names the types of its own parameters
  run(...args: any[]): Json | bigint | undefined;
}

export type ComputedFunctions = Readonly<Record<string, ComputedFunction>>;

export const compute = (params: string, type: ScalarType, run: ComputedFunction["run"]): ComputedFunction => ({
  params,
  type,
  run,
});

export interface Parameter {
  readonly kind: Kind;
  readonly isOptional: boolean;
}

export const parametersOf = ({ params }: Pick<ComputedFunction, "params">): readonly Parameter[] =>
  params.split(",").flatMap((text) => {
    const param = text.trim();
    return param === "" ? [] : [{ kind: param.replace(/\?$/, "") as Kind, isOptional: param.endsWith("?") }];
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
