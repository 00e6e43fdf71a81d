/** Expressions, as the grammar (apl.peggy) parses them. `at` is the offset where a node starts. */
export interface Node {
  readonly at: number;
}

export type ScalarType = "string" | "long" | "real" | "bool" | "datetime" | "timespan" | "dynamic" | "null";

export interface Literal extends Node {
  readonly kind: "literal";
  readonly type: ScalarType;
  /** Numbers, times and spans as text, so that the planner gets every digit. */
  readonly value: unknown;
}

export interface Argument {
  readonly name: string | null;
  readonly value: Expression;
}

export interface Call extends Node {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Argument[];
}

export interface Name extends Node {
  readonly kind: "name";
  readonly name: string;
}

export interface Member extends Node {
  readonly kind: "member";
  readonly of: Expression;
  readonly key: Expression;
  readonly dotted: boolean;
}

export interface Typed extends Node {
  readonly kind: "typed";
  readonly type: string;
  readonly value: Literal;
}

export interface Logic extends Node {
  readonly kind: "logic";
  readonly op: "and" | "or";
  readonly items: readonly Expression[];
}

export interface Compare extends Node {
  readonly kind: "compare";
  readonly op: string;
  readonly left: Expression;
  readonly right: Expression;
}

export interface Between extends Node {
  readonly kind: "between";
  readonly negated: boolean;
  readonly left: Expression;
  readonly low: Expression;
  readonly high: Expression;
}

export interface Membership extends Node {
  readonly kind: "set";
  readonly op: string;
  readonly left: Expression;
  readonly items: readonly Expression[];
}

export interface Arithmetic extends Node {
  readonly kind: "arithmetic";
  readonly first: Expression;
  readonly rest: readonly { readonly op: string; readonly right: Expression }[];
}

export interface Negate extends Node {
  readonly kind: "negate";
  readonly of: Expression;
}

/** A text to search for in one field or in all fields. */
export interface Term extends Node {
  readonly kind: "term";
  readonly field: string | null;
  readonly value: string;
}

export interface Star extends Node {
  readonly kind: "star";
}

export type Expression =
  | Literal
  | Typed
  | Call
  | Name
  | Member
  | Logic
  | Compare
  | Between
  | Membership
  | Arithmetic
  | Negate
  | Term
  | Star;
