import type { Expression, Node } from "./expressions";

export type * from "./expressions";

/** Pipelines, as the grammar (apl.peggy) makes them of a query's text. */
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

export interface Option {
  readonly name: string;
  readonly value: string;
}

export type ParsePart =
  | { readonly kind: "skip" }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "column"; readonly name: string; readonly type: string | null; readonly at: number };

export interface Where extends Node {
  readonly kind: "where";
  readonly predicate: Expression;
}

export interface Columns extends Node {
  readonly kind: "extend" | "project";
  readonly columns: readonly NamedExpression[];
}

export interface Pick extends Node {
  readonly kind: "project-away" | "project-keep";
  readonly columns: readonly ColumnPattern[];
}

export interface Rename extends Node {
  readonly kind: "project-rename";
  readonly columns: readonly { readonly to: string; readonly from: string; readonly at: number }[];
}

export interface Summarize extends Node {
  readonly kind: "summarize";
  readonly aggregates: readonly NamedExpression[];
  readonly keys: readonly NamedExpression[];
}

export interface Distinct extends Node {
  readonly kind: "distinct";
  readonly columns: "all" | readonly NamedExpression[];
}

export interface Order extends Node {
  readonly kind: "order";
  readonly keys: readonly SortKey[];
}

export interface Top extends Node {
  readonly kind: "top";
  readonly limit: Expression;
  readonly keys: readonly SortKey[];
}

export interface Take extends Node {
  readonly kind: "take";
  readonly limit: Expression;
}

export interface MvExpand extends Node {
  readonly kind: "mv-expand";
  readonly options: readonly Option[];
  readonly expansions: readonly (NamedExpression & { readonly type: string | null })[];
  readonly limit: Expression | null;
}

export interface Union extends Node {
  readonly kind: "union";
  readonly options: readonly Option[];
  readonly sources: readonly Pipeline[];
}

export interface Parse extends Node {
  readonly kind: "parse";
  readonly required: boolean;
  readonly mode: "simple" | "regex" | "relaxed";
  readonly value: Expression;
  readonly pattern: readonly ParsePart[];
}

export interface Search extends Node {
  readonly kind: "search";
  readonly caseSensitive: boolean;
  readonly sources: readonly Pipeline[];
  readonly predicate: Expression;
}

export interface Plain extends Node {
  readonly kind: "count" | "getschema";
}

export type Operator =
  | Where
  | Columns
  | Pick
  | Rename
  | Summarize
  | Distinct
  | Order
  | Top
  | Take
  | MvExpand
  | Union
  | Parse
  | Search
  | Plain;

export interface Dataset extends Node {
  readonly kind: "dataset";
  readonly name: string;
  readonly quoted: boolean;
}

export interface Print extends Node {
  readonly kind: "print";
  readonly columns: readonly NamedExpression[];
}

export interface Nested extends Node {
  readonly kind: "pipeline";
  readonly body: Pipeline;
}

export type Source = Dataset | Print | Union | Search | Nested;

export interface Pipeline {
  readonly source: Source;
  readonly operators: readonly Operator[];
}

export interface Let extends Node {
  readonly kind: "let";
  readonly name: string;
  readonly value:
    | { readonly kind: "scalar"; readonly value: Expression }
    | { readonly kind: "tabular"; readonly body: Pipeline };
}

export interface Query {
  readonly statements: readonly Let[];
  readonly body: Pipeline;
}
