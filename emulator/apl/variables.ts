import type { Expression, Parameter, Query, Statement } from "./ast";
import { placeOf, QueryError } from "./errors";
import { literalOf } from "./nodes";
import type { AplRequest } from "./request";
import { typeNames } from "./types";

const bind = (name: string, value: Expression): Statement => ({
  kind: "let",
  name,
  value: { kind: "scalar", value },
  at: value.at,
});

/** Binds the request's variables before the query's own names, and each declared parameter to its variable or its default. */
export function withVariables(query: Query, variables: AplRequest["variables"], text: string): Query {
  const given = new Map(Object.entries(variables ?? {}));
  const declared = query.statements.flatMap((statement) => (statement.kind === "declare" ? statement.parameters : []));
  const bound = declared.map((parameter) => {
    const value = given.get(parameter.name);
    given.delete(parameter.name);
    return bind(parameter.name, valueFor(parameter, value, text));
  });
  const others = [...given].map(([name, value]) => bind(name, literalOf(value)));
  return { ...query, statements: [...others, ...bound, ...query.statements.filter(({ kind }) => kind !== "declare")] };
}

/** An empty text means "not set" to every type except string. */
function valueFor({ name, type: typeName, fallback, at }: Parameter, given: unknown, text: string): Expression {
  const fail = (problem: string): never => {
    throw new QueryError("semantic", `the parameter "${name}" ${problem}`, placeOf(text, at));
  };
  const type = typeNames.get(typeName) ?? fail(`has no known type: there is no "${typeName}"`);
  if (given === undefined || given === null || (given === "" && type !== "string"))
    return fallback ?? fail("has neither a value in the request nor a default");
  if (type === "dynamic") return literalOf(given, at);
  const written = String(given);
  const pattern = { long: /^[+-]?\d+$/, real: /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i, bool: /^(true|false)$/ };
  if (typeof given === "object" || pattern[type as keyof typeof pattern]?.test(written) === false)
    return fail(`is not a ${type}`);
  return { kind: "literal", type, value: type === "bool" ? written === "true" : written, at };
}
