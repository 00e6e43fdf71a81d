import { cast, isNumeric, unify, type Value } from "../types";
import { domainBound, type FunctionSpec, type Functions, fn, native, partial } from "./define";

const numeric = ([value]: readonly Value[]) =>
  value?.type === "long" || value?.type === "timespan" ? value.type : "real";

/** A function whose result is of its argument's type. */
const kept = (sql: (x: string) => string): FunctionSpec =>
  fn("any", numeric, (_, { values: [value] }) => (value ? sql(cast(value, numeric([value]))) : "NULL"));

const common = (values: readonly Value[]) => values.map(({ type }) => type).reduce((a, b) => unify(a, b), "null");

const extreme = (name: string): FunctionSpec =>
  fn("...any", common, (_, { values }) => `${name}(${values.map((value) => cast(value, common(values))).join(", ")})`);

export const mathFunctions: Functions = {
  abs: kept((x) => `abs(${x})`),
  sign: fn("real", "long", ([x]) => `CAST(sign(${x}) AS BIGINT)`),
  ceiling: fn("real", "real", ([x]) => `ceil(${x})`),
  round: fn("real, long?", "real", ([x, digits = "0"]) => `round(${x}, CAST(${digits} AS INTEGER))`),
  sqrt: domainBound("sqrt"),
  exp: native("real", "real", "exp"),
  exp2: fn("real", "real", ([x]) => `pow(2, ${x})`),
  exp10: fn("real", "real", ([x]) => `pow(10, ${x})`),
  log: domainBound("ln"),
  log2: domainBound("log2"),
  log10: domainBound("log10"),
  pow: partial("real, real", "real", "pow"),
  sin: domainBound("sin"),
  cos: domainBound("cos"),
  tan: domainBound("tan"),
  cot: domainBound("cot"),
  asin: domainBound("asin"),
  acos: domainBound("acos"),
  atan: native("real", "real", "atan"),
  atan2: native("real, real", "real", "atan2"),
  degrees: native("real", "real", "degrees"),
  radians: native("real", "real", "radians"),
  gamma: domainBound("gamma"),
  loggamma: domainBound("lgamma"),
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
  max_of: extreme("greatest"),
  min_of: extreme("least"),
};
