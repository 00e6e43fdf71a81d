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

export const mathFunctions: Functions = {
  abs: typePreservingFunction((x) => `abs(${x})`),
  sign: fn("real", "long", ([x]) => `CAST(sign(${x}) AS BIGINT)`),
  ceiling: fn("real", "real", ([x]) => `ceil(${x})`),
  round: fn("real, long?", "real", ([x, digits = "0"]) => `round(${x}, CAST(${digits} AS INTEGER))`),
  sqrt: domainFunction("sqrt"),
  exp: nativeFunction("real", "real", "exp"),
  exp2: fn("real", "real", ([x]) => `pow(2, ${x})`),
  exp10: fn("real", "real", ([x]) => `pow(10, ${x})`),
  log: domainFunction("ln"),
  log2: domainFunction("log2"),
  log10: domainFunction("log10"),
  pow: fn("real, real", "real", ([x, y]) => `TRY(pow(${x}, ${y}))`),
  sin: domainFunction("sin"),
  cos: domainFunction("cos"),
  tan: domainFunction("tan"),
  cot: domainFunction("cot"),
  asin: domainFunction("asin"),
  acos: domainFunction("acos"),
  atan: nativeFunction("real", "real", "atan"),
  atan2: nativeFunction("real, real", "real", "atan2"),
  degrees: nativeFunction("real", "real", "degrees"),
  radians: nativeFunction("real", "real", "radians"),
  gamma: domainFunction("gamma"),
  loggamma: domainFunction("lgamma"),
  pi: fn("", "real", () => "pi()"),
  rand: fn("", "real", () => "random()"),
  isnan: fn("real", "bool", ([x]) => `coalesce(isnan(${x}), false)`),
  isinf: fn("real", "bool", ([x]) => `coalesce(isinf(${x}), false)`),
  isfinite: fn("real", "bool", ([x]) => `coalesce(isfinite(${x}), false)`),
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
