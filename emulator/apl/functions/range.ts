import { boundCount } from "../sql";
import { cast, type Value } from "../types";

/** Types of ranges: the number of a value, and the value of a number. Times count in microseconds, spans in nanoseconds. */
const kinds = {
  long: { number: (value: Value) => cast(value, "long"), value: (sql: string) => `CAST(${sql} AS BIGINT)` },
  real: { number: (value: Value) => cast(value, "real"), value: (sql: string) => `CAST(${sql} AS DOUBLE)` },
  timespan: { number: ({ sql }: Value) => sql, value: (sql: string) => `CAST(${sql} AS BIGINT)` },
  datetime: {
    number: ({ sql, type }: Value) => (type === "datetime" ? `epoch_us(${sql})` : `${sql} // 1000`),
    value: (sql: string) => `make_timestamp(CAST(${sql} AS BIGINT))`,
  },
} as const;

const oneHour: Value = { type: "timespan", sql: "3600000000000" };
const one: Value = { type: "long", sql: "1" };

/** SQL of a list with the values from a start to an end, and their type; undefined if the types do not match. */
export function rangeList(from: Value, to: Value, by?: Value): Value | undefined {
  const isTime = from.type === "datetime" || from.type === "timespan";
  const step = by ?? (isTime ? oneHour : one);
  const types = [from.type, to.type, step.type];
  const isNumeric = types.every((type) => ["long", "real", "dynamic", "null"].includes(type));
  if (isTime ? to.type !== from.type || step.type !== "timespan" : !isNumeric) return undefined;
  const type = isTime ? from.type : types.every((one) => one === "long") ? "long" : "real";
  const { number, value } = kinds[type as keyof typeof kinds];
  const wide = (side: Value) => (type === "real" ? number(side) : `CAST(${number(side)} AS HUGEINT)`);
  // The number of values is checked before any is made.
  const count = `CASE WHEN v.b - v.a IS NULL THEN NULL WHEN v.s = 0 OR (v.b - v.a) * sign(v.s) < 0 THEN 0
    ELSE CAST(${boundCount("(floor((v.b - v.a) / v.s) + 1)")} AS BIGINT) END`;
  const list = `list_transform(range(${count}), lambda i: ${value("(v.a + i * v.s)")})`;
  const bounds = `{'a': ${wide(from)}, 'b': ${wide(to)}, 's': ${wide(step)}}`;
  return { type, sql: `list_transform([${bounds}], lambda v: ${list})[1]` };
}
