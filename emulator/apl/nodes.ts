import type { Argument, Expression, Literal, NamedExpression } from "./ast";

/** The offset of nodes that are not in the query's text. */
export const nowhere = -1;

export const name = (field: string, at = nowhere): Expression => ({ kind: "name", name: field, at });

export const call = (fn: string, ...args: readonly Expression[]): Expression => ({
  kind: "call",
  name: fn,
  args: args.map((value): Argument => ({ name: null, value })),
  at: nowhere,
});

export const as = (alias: string, value: Expression): NamedExpression => ({
  name: alias,
  value,
  source: alias,
  at: value.at,
});

/** Converts a JSON value to a literal. */
export function literalOf(value: unknown, at = nowhere): Literal {
  if (typeof value === "number")
    return { kind: "literal", type: Number.isSafeInteger(value) ? "long" : "real", value: String(value), at };
  const type =
    typeof value === "string" ? "string" : typeof value === "boolean" ? "bool" : value === null ? "null" : "dynamic";
  return { kind: "literal", type, value, at };
}

/** Functions whose result keeps the name of the field. */
const transparent = /^(bin|bin_auto|floor|to(string|int|long|real|double|bool|datetime|timespan|lower|upper))$/;

/** The natural name of an expression. */
export function ownName(node: Expression): string | undefined {
  if (node.kind === "name") return node.name;
  if (node.kind === "member" && node.key.kind === "literal" && node.key.type === "string") {
    const inner = ownName(node.of);
    return inner === undefined ? undefined : `${inner}.${node.key.value}`;
  }
  const [first] = node.kind === "call" ? node.args : [];
  return node.kind === "call" && first && transparent.test(node.name) ? ownName(first.value) : undefined;
}
