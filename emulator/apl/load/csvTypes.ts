import type { ScalarType } from "../ast";

/**
 * What a column of CSV must look like, in every row, to be more than text: patterns for JavaScript as for the database. A
 * number that is not written the usual way, such as 007, stays text: it would lose something otherwise.
 */
export const valuePatterns: Readonly<Record<"bool" | "long" | "real", string>> = {
  bool: "(true|false|TRUE|FALSE|True|False)",
  long: "(0|-?[1-9][0-9]{0,17})",
  real: "-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,2})?",
};

/** From the narrowest to the widest. */
export const columnTypes = ["bool", "long", "real"] as const satisfies readonly ScalarType[];
