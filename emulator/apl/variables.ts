import type { Expression, Let, Query } from "./ast";
import { nowhere } from "./nodes";
import type { AplRequest } from "./request";

/** Binds the request's variables before the query's own names. */
export function withVariables(query: Query, variables: AplRequest["variables"] = {}): Query {
  const bound = Object.entries(variables).map(([name, given]): Let => {
    const type =
      typeof given === "string"
        ? "string"
        : typeof given === "boolean"
          ? "bool"
          : typeof given === "number"
            ? "number"
            : "dynamic";
    const number = Number.isInteger(given) ? "long" : "real";
    const value: Expression = {
      kind: "literal",
      type: type === "number" ? number : type,
      value: type === "number" ? String(given) : given,
      at: nowhere,
    };
    return { kind: "let", name, value: { kind: "scalar", value }, at: nowhere };
  });
  return { ...query, statements: [...bound, ...query.statements] };
}
