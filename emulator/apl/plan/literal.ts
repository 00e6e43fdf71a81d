import type { Literal } from "../ast";
import { double, integer, quote, timestamp } from "../sql";
import { parseInstant, parseSpan } from "../time";
import { nullValue, typeNames, type Value } from "../types";
import type { Context } from "./context";

export const maxLong = 2n ** 63n - 1n;

/** SQL of a literal. */
export function planLiteral(context: Context, { type, value, at }: Literal): Value {
  switch (type) {
    case "string":
      return { type, sql: quote(String(value)), constant: String(value) };
    case "bool":
      return { type, sql: String(value) };
    case "real":
      return { type, sql: double(Number(value)), isNumber: true };
    case "long": {
      const number = BigInt(String(value).replace("+", ""));
      if (number > maxLong || number < -maxLong - 1n) return { type: "real", sql: double(Number(number)) };
      return { type, sql: integer(number), constant: number };
    }
    case "datetime":
      return planInstant(context, String(value), at);
    case "timespan":
      return planSpan(context, String(value), at);
    case "dynamic":
      return value === null
        ? { type, sql: "CAST(NULL AS JSON)" }
        : { type, sql: `CAST(${quote(JSON.stringify(value))} AS JSON)` };
    case "null":
      return nullValue;
  }
}

function planInstant(context: Context, text: string, at: number): Value {
  if (text === "null") return { type: "datetime", sql: "CAST(NULL AS TIMESTAMP)" };
  const micros = parseInstant(text);
  if (micros === undefined)
    context.fail("semantic", `${JSON.stringify(text)} is not a time such as 2024-01-31T10:00:00Z`, at);
  return { type: "datetime", sql: timestamp(micros) };
}

function planSpan(context: Context, text: string, at: number): Value {
  if (text === "null") return { type: "timespan", sql: "CAST(NULL AS BIGINT)" };
  const nanos = parseSpan(text);
  if (nanos === undefined) context.fail("semantic", `${JSON.stringify(text)} is not a span of time such as 1h30m`, at);
  return { type: "timespan", sql: integer(nanos), constant: nanos };
}

/** The type that a query names. */
export const findType = (context: Context, name: string, at: number) =>
  typeNames.get(name) ?? context.fail("semantic", `there is no type "${name}"`, at);
