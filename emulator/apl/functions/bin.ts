import { autoBin, effectiveWindow } from "../plan/resolution";
import { cast, isNumeric, type Value } from "../types";
import { type CallSite, type Functions, fn } from "./define";

const binnedType = ([value]: readonly Value[]) =>
  value === undefined || value.type === "dynamic" || value.type === "null" ? "real" : value.type;

/** The greatest multiple of a size that does not exceed the value. */
export function bin(value: Value, size: Value, { context, at }: CallSite): string {
  const literal = typeof size.constant === "bigint" ? size.constant : undefined;
  if (literal !== undefined && literal <= 0n) context.fail("semantic", "the size of a bin must be more than 0", at);
  if (value.type === "datetime" && size.type === "timespan") {
    const micros = literal === undefined ? `greatest(${size.sql} // 1000, 1)` : String(literal / 1000n || 1n);
    return `apl_bin_time(${value.sql}, ${micros})`;
  }
  if ((value.type === "timespan" && size.type === "timespan") || (value.type === "long" && size.type === "long")) {
    return `apl_bin_long(${value.sql}, ${size.sql})`;
  }
  const numeric = (type: Value["type"]) => isNumeric(type) || type === "dynamic" || type === "null";
  // A null is in no bin, whatever the size.
  if (numeric(value.type) && (numeric(size.type) || value.type === "null"))
    return `apl_bin_real(${cast(value, "real")}, ${cast(size, "real")})`;
  return context.fail("semantic", `a ${value.type} cannot be put into bins of a ${size.type}`, at);
}

const roundDown = (_: readonly string[], site: CallSite): string => {
  const [value, size] = site.values;
  if (!value) return "NULL";
  return size ? bin(value, size, site) : `floor(${cast(value, "real")})`;
};

export const binFunctions: Functions = {
  bin: fn(
    "any, any",
    (values) => (values[0]?.type === "long" && values[1]?.type === "real" ? "real" : binnedType(values)),
    roundDown,
  ),
  floor: fn("any, any?", (values) => (values.length === 1 ? "real" : binnedType(values)), roundDown),
  bin_auto: fn(
    "datetime",
    "datetime",
    ([time], { context }) => `apl_bin_time(${time}, ${autoBin(effectiveWindow(context.environment))})`,
  ),
};
