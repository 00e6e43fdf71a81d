import type { ScalarType } from "../ast";
import { cast, isNumeric, strictCondition, type Value } from "../types";

/** SQL of `left op right`, or undefined if the operator does not support these types. */
export function planArithmetic(op: string, left: Value, right: Value): Value | undefined {
  // A text beside a span is a span, such as "9ms".
  if (left.type === "string" && right.type === "timespan") return planArithmetic(op, spanOf(left), right);
  if (left.type === "timespan" && right.type === "string") return planArithmetic(op, left, spanOf(right));
  const a = castOperand(left, right);
  const b = castOperand(right, left);
  const rule = arithmeticRules[op]?.find(([l, r]) => fits(a.type, l) && fits(b.type, r));
  return rule && { type: rule[2], sql: rule[3](strictCondition(a), strictCondition(b)) };
}

const spanOf = (value: Value): Value => ({ type: "timespan", sql: cast(value, "timespan") });

type Side = ScalarType | "number";
type Rule = readonly [left: Side, right: Side, result: ScalarType, sql: (a: string, b: string) => string];

/** Casts a dynamic value to a number, and a null to the type of the other side. */
function castOperand(value: Value, other: Value): Value {
  if (value.type === "dynamic") return { type: "real", sql: cast(value, "real") };
  const type = other.type === "null" || other.type === "dynamic" ? "real" : other.type;
  return value.type === "null" ? { type, sql: cast(value, type) } : value;
}

const fits = (type: ScalarType, side: Side) => type === side || (side === "number" && isNumeric(type));

/** Beyond 64 bits an integer is null. A division by zero is also null (a setting in duckdb.ts). */
const computeWhole = (op: string) => (a: string, b: string) => `TRY(${a} ${op} ${b})`;
const computePlain = (op: string) => (a: string, b: string) => `(${a} ${op} ${b})`;
const shiftTime = (op: string) => (time: string, span: string) =>
  `TRY(make_timestamp(epoch_us(${time}) ${op} ${span} // 1000))`;
const scaleSpan = (op: string) => (span: string, by: string) => `TRY_CAST(round(${span} ${op} ${by}) AS BIGINT)`;
const divide = (a: string, b: string) => `(CAST(${a} AS DOUBLE) / ${b})`;

const arithmeticRules: Readonly<Record<string, readonly Rule[]>> = {
  "+": [
    ["long", "long", "long", computeWhole("+")],
    ["number", "number", "real", computePlain("+")],
    ["datetime", "timespan", "datetime", shiftTime("+")],
    ["timespan", "datetime", "datetime", (a, b) => shiftTime("+")(b, a)],
    ["timespan", "timespan", "timespan", computeWhole("+")],
  ],
  "-": [
    ["long", "long", "long", computeWhole("-")],
    ["number", "number", "real", computePlain("-")],
    ["datetime", "timespan", "datetime", shiftTime("-")],
    ["datetime", "datetime", "timespan", (a, b) => `((epoch_us(${a}) - epoch_us(${b})) * 1000)`],
    ["timespan", "timespan", "timespan", computeWhole("-")],
  ],
  "*": [
    ["long", "long", "long", computeWhole("*")],
    ["number", "number", "real", computePlain("*")],
    ["timespan", "number", "timespan", scaleSpan("*")],
    ["number", "timespan", "timespan", (a, b) => scaleSpan("*")(b, a)],
  ],
  "/": [
    ["long", "long", "long", computePlain("//")],
    ["number", "number", "real", divide],
    ["timespan", "timespan", "real", divide],
    ["timespan", "number", "timespan", scaleSpan("/")],
    // A plain number next to a span means nanoseconds, like durations in traces.
    ["number", "timespan", "real", divide],
  ],
  "%": [
    ["long", "long", "long", computePlain("%")],
    ["number", "number", "real", computePlain("%")],
    ["timespan", "timespan", "timespan", computePlain("%")],
  ],
};
