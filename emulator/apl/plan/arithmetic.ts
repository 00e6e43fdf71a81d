import type { ScalarType } from "../ast";
import { cast, isNumeric, strict, type Value } from "../types";

/** `left op right`, or undefined if the operator does not join values of these types. */
export function arithmetic(op: string, left: Value, right: Value): Value | undefined {
  const a = operand(left, right);
  const b = operand(right, left);
  const rule = arithmeticRules[op]?.find(([l, r]) => fits(a.type, l) && fits(b.type, r));
  return rule && { type: rule[2], sql: rule[3](strict(a), strict(b)) };
}

type Side = ScalarType | "number";
type Rule = readonly [left: Side, right: Side, result: ScalarType, sql: (a: string, b: string) => string];

/** A dynamic value counts as a number, and a null as whatever is on the other side. */
function operand(value: Value, other: Value): Value {
  if (value.type === "dynamic") return { type: "real", sql: cast(value, "real") };
  const type = other.type === "null" || other.type === "dynamic" ? "real" : other.type;
  return value.type === "null" ? { type, sql: cast(value, type) } : value;
}

const fits = (type: ScalarType, side: Side) => type === side || (side === "number" && isNumeric(type));

/** Past 64 bits an integer is null; so is what is divided by zero (duckdb.ts asks the database for that). */
const whole = (op: string) => (a: string, b: string) => `TRY(${a} ${op} ${b})`;
const plain = (op: string) => (a: string, b: string) => `(${a} ${op} ${b})`;
const shifted = (op: string) => (time: string, span: string) =>
  `TRY(make_timestamp(epoch_us(${time}) ${op} ${span} // 1000))`;
const scaled = (op: string) => (span: string, by: string) => `TRY_CAST(round(${span} ${op} ${by}) AS BIGINT)`;
const divided = (a: string, b: string) => `(CAST(${a} AS DOUBLE) / ${b})`;

const arithmeticRules: Readonly<Record<string, readonly Rule[]>> = {
  "+": [
    ["long", "long", "long", whole("+")],
    ["number", "number", "real", plain("+")],
    ["datetime", "timespan", "datetime", shifted("+")],
    ["timespan", "datetime", "datetime", (a, b) => shifted("+")(b, a)],
    ["timespan", "timespan", "timespan", whole("+")],
  ],
  "-": [
    ["long", "long", "long", whole("-")],
    ["number", "number", "real", plain("-")],
    ["datetime", "timespan", "datetime", shifted("-")],
    ["datetime", "datetime", "timespan", (a, b) => `((epoch_us(${a}) - epoch_us(${b})) * 1000)`],
    ["timespan", "timespan", "timespan", whole("-")],
  ],
  "*": [
    ["long", "long", "long", whole("*")],
    ["number", "number", "real", plain("*")],
    ["timespan", "number", "timespan", scaled("*")],
    ["number", "timespan", "timespan", (a, b) => scaled("*")(b, a)],
  ],
  "/": [
    ["long", "long", "long", plain("//")],
    ["number", "number", "real", divided],
    ["timespan", "timespan", "real", divided],
    ["timespan", "number", "timespan", scaled("/")],
    // A plain number beside a span is one of nanoseconds, as durations in traces are.
    ["number", "timespan", "real", divided],
  ],
  "%": [
    ["long", "long", "long", plain("%")],
    ["number", "number", "real", plain("%")],
    ["timespan", "timespan", "timespan", plain("%")],
  ],
};
