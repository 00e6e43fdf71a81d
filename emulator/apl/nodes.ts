import type { Argument, Expression, Literal, NamedExpression } from "./ast";

/** The offset of nodes that are not in the query's text. */
export const nowhere = -1;

export const name = (field: string): Expression => ({ kind: "name", name: field, at: nowhere });

export const text = (value: string): Literal => ({ kind: "literal", type: "string", value, at: nowhere });

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
  at: nowhere,
});
