import type { ScalarType } from "../ast";

/**
 * A column of CSV has a type if each of its rows matches the pattern, which works in JavaScript and in the database. A number
 * with an unusual spelling, such as 007, stays text, because a number would lose the spelling.
 */
export const valuePatterns: Readonly<Record<"bool" | "long" | "real", string>> = {
  bool: "(true|false|TRUE|FALSE|True|False)",
  long: "(0|-?[1-9][0-9]{0,17})",
  real: "-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,2})?",
};

/** From the narrowest to the widest. */
export const columnTypes = ["bool", "long", "real"] as const satisfies readonly ScalarType[];
