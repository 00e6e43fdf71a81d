/** A query, as parsed by the grammar (apl.peggy). `at` is the offset where a node starts. */
export interface Node {
  readonly at: number;
}

/** Node types, from a table with the members of each kind. */
export type KindOf<Parts, K extends keyof Parts> = { [P in K]: Node & { readonly kind: P } & Readonly<Parts[P]> }[K];

export type ScalarType = "string" | "long" | "real" | "bool" | "datetime" | "timespan" | "dynamic" | "null";

export interface Argument {
  readonly name: string | null;
  readonly value: Expression;
}

/** The parts of each expression. */
interface Expressions {
  /** Numbers, times and spans are texts, so that the planner gets every digit. */
  literal: { type: ScalarType; value: unknown };
  typed: { type: string; value: Literal };
  call: { name: string; args: readonly Argument[] };
  name: { name: string };
  member: { of: Expression; key: Expression; dotted: boolean };
  logic: { op: "and" | "or"; items: readonly Expression[] };
  compare: { op: string; left: Expression; right: Expression };
  between: { negated: boolean; left: Expression; low: Expression; high: Expression };
  set: { op: string; left: Expression; items: readonly Expression[] };
  arithmetic: { first: Expression; rest: readonly { readonly op: string; readonly right: Expression }[] };
  negate: { of: Expression };
  /** A text to search for in one field or in all fields. */
  term: { field: string | null; value: string };
  star: object;
  /** The values of the only column of a pipeline, in a set. */
  rows: { body: Pipeline };
}

export type ExpressionOf<K extends keyof Expressions> = KindOf<Expressions, K>;
export type Expression = ExpressionOf<keyof Expressions>;
export type Literal = ExpressionOf<"literal">;
export type Call = ExpressionOf<"call">;

export interface NamedExpression extends Node {
  readonly name: string | null;
  readonly value: Expression;
  readonly source: string;
}

export interface ColumnPattern extends Node {
  readonly name: string;
  readonly wildcard: boolean;
}

export interface SortKey extends Node {
  readonly value: Expression;
  readonly desc: boolean;
  readonly nulls: "first" | "last" | null;
}

/** The options of an operator by name. */
export type Options = Readonly<Record<string, string>>;

export interface KeyColumn extends Node {
  readonly name: string;
  readonly type: string | null;
}

export type ParsePart =
  | { readonly kind: "skip" }
  | { readonly kind: "text"; readonly value: string }
  | ({ readonly kind: "column" } & KeyColumn);

export interface JoinSide {
  readonly side: "left" | "right" | null;
  readonly value: Expression;
}

interface Columns {
  columns: readonly NamedExpression[];
}

interface Patterns {
  columns: readonly ColumnPattern[];
}

interface Joined {
  how: string;
  right: Pipeline;
  on: readonly (Node & { readonly left: JoinSide; readonly right: JoinSide })[];
}

interface United {
  options: Options;
  sources: readonly Pipeline[];
}

interface Searched {
  caseSensitive: boolean;
  sources: readonly Pipeline[];
  predicate: Expression;
}

/** The parts of each operator. */
interface Operators {
  where: { predicate: Expression };
  extend: Columns;
  "extend-valid": Columns;
  project: Columns;
  "project-away": Patterns;
  "project-keep": Patterns;
  "project-rename": { columns: readonly (Node & { readonly to: string; readonly from: string })[] };
  "project-reorder": { columns: readonly (ColumnPattern & { readonly direction: string | null })[] };
  summarize: { aggregates: readonly NamedExpression[]; keys: readonly NamedExpression[] };
  distinct: { columns: "all" | readonly NamedExpression[] };
  order: { keys: readonly SortKey[] };
  top: { limit: Expression; keys: readonly SortKey[] };
  take: { limit: Expression };
  "mv-expand": {
    options: Options;
    expansions: readonly (NamedExpression & { readonly type: string | null })[];
    limit: Expression | null;
  };
  union: United;
  parse: {
    required: boolean;
    mode: "simple" | "regex" | "relaxed";
    value: Expression;
    pattern: readonly ParsePart[];
  };
  search: Searched;
  join: Joined;
  lookup: Joined;
  "make-series": {
    series: readonly (NamedExpression & { readonly fallback: Expression | null })[];
    time: string;
    from: Expression | null;
    to: Expression | null;
    step: Expression;
    keys: readonly NamedExpression[];
  };
  sample: { share: Expression };
  "parse-kv": { value: Expression; columns: readonly KeyColumn[]; options: Options };
  redact: { options: Options; patterns: readonly unknown[]; columns: readonly string[] | null };
  count: object;
  getschema: object;
  /** An operator or a source that is parsed but not supported. */
  unsupported: { name: string };
}

/** The parts of each source. */
interface Sources extends Pick<Operators, "union" | "search" | "unsupported"> {
  /** With `isVariable`, the name is that of a text, such as a parameter, which holds the dataset's name. */
  dataset: { name: string; quoted: boolean; isVariable?: boolean };
  print: Columns;
  pipeline: { body: Pipeline };
  datatable: { columns: readonly KeyColumn[]; values: readonly Expression[] };
  range: { name: string; from: Expression; to: Expression; step: Expression };
}

export type OperatorOf<K extends keyof Operators> = KindOf<Operators, K>;
export type Operator = OperatorOf<keyof Operators>;
export type Summarize = OperatorOf<"summarize">;

export type SourceOf<K extends keyof Sources> = KindOf<Sources, K>;
export type Source = SourceOf<keyof Sources>;

export interface Pipeline {
  readonly source: Source;
  readonly operators: readonly Operator[];
}

export interface Parameter extends Node {
  readonly name: string;
  readonly type: string;
  readonly fallback: Expression | null;
}

interface Statements {
  let: {
    name: string;
    value:
      | { readonly kind: "scalar"; readonly value: Expression }
      | { readonly kind: "tabular"; readonly body: Pipeline };
  };
  set: { name: string };
  declare: { parameters: readonly Parameter[] };
}

export type StatementOf<K extends keyof Statements> = KindOf<Statements, K>;
export type Statement = StatementOf<keyof Statements>;

export interface Query {
  readonly statements: readonly Statement[];
  readonly body: Pipeline;
}
