import { cast, isNumeric, type Value } from "../types";
import { commonType } from "./conversion";
import { domainFunction, type FunctionSpec, type Functions, fn, nativeFunction } from "./define";

const numericType = ([value]: readonly Value[]) =>
  value?.type === "long" || value?.type === "timespan" ? value.type : "real";

/** A function whose result has the type of its argument. */
const typePreservingFunction = (sql: (x: string) => string): FunctionSpec =>
  fn("any", numericType, (_, { values: [value] }) => (value ? sql(cast(value, numericType([value]))) : "NULL"));

const extremeFunction = (name: string): FunctionSpec =>
  fn(
    "...any",
    commonType,
    (_, { values }) => `${name}(${values.map((value) => cast(value, commonType(values))).join(", ")})`,
  );

/** The functions of one number that the database has by the same name: for every number, for some, and tests. */
const everywhere = ["exp", "atan", "degrees", "radians"];
const inDomain = ["sqrt", "log2", "log10", "sin", "cos", "tan", "cot", "asin", "acos", "gamma"];
const tests = ["isnan", "isinf", "isfinite"];

const named = (names: readonly string[], make: (name: string) => FunctionSpec): Functions =>
  Object.fromEntries(names.map((name) => [name, make(name)]));

export const mathFunctions: Functions = {
  ...named(everywhere, (name) => nativeFunction("real", "real", name)),
  ...named(inDomain, domainFunction),
  ...named(tests, (name) => fn("real", "bool", ([x]) => `coalesce(${name}(${x}), false)`)),
  abs: typePreservingFunction((x) => `abs(${x})`),
  sign: fn("real", "long", ([x]) => `CAST(sign(${x}) AS BIGINT)`),
  ceiling: fn("real", "real", ([x]) => `ceil(${x})`),
  round: fn("real, long?", "real", ([x, digits = "0"]) => `round(${x}, CAST(${digits} AS INTEGER))`),
  exp2: fn("real", "real", ([x]) => `pow(2, ${x})`),
  exp10: fn("real", "real", ([x]) => `pow(10, ${x})`),
  log: domainFunction("ln"),
  pow: fn("real, real", "real", ([x, y]) => `TRY(pow(${x}, ${y}))`),
  atan2: nativeFunction("real, real", "real", "atan2"),
  loggamma: domainFunction("lgamma"),
  pi: fn("", "real", () => "pi()"),
  rand: fn("", "real", () => "random()"),
  isint: fn("any", "bool", (_, { values: [value] }) =>
    value?.type === "long"
      ? `(${value.sql} IS NOT NULL)`
      : value && isNumeric(value.type)
        ? `coalesce(${value.sql} = trunc(${value.sql}), false)`
        : value?.type === "dynamic"
          ? `coalesce(json_type(${value.sql}) IN ('BIGINT', 'UBIGINT'), false)`
          : "false",
  ),
  max_of: extremeFunction("greatest"),
  min_of: extremeFunction("least"),
};
