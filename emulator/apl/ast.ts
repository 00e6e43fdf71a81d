import type { Expression, Node } from "./expressions";

export type * from "./expressions";

/** Pipelines, as the grammar (apl.peggy) parses them. */
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
  readonly kind: "extend" | "extend-valid" | "project";
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

export interface JoinSide {
  readonly side: "left" | "right" | null;
  readonly value: Expression;
}

export interface Join extends Node {
  readonly kind: "join" | "lookup";
  readonly how: string;
  readonly right: Pipeline;
  readonly on: readonly { readonly left: JoinSide; readonly right: JoinSide; readonly at: number }[];
}

export interface MakeSeries extends Node {
  readonly kind: "make-series";
  readonly series: readonly (NamedExpression & { readonly fallback: Expression | null })[];
  readonly time: string;
  readonly from: Expression | null;
  readonly to: Expression | null;
  readonly step: Expression;
  readonly keys: readonly NamedExpression[];
}

export interface Reorder extends Node {
  readonly kind: "project-reorder";
  readonly columns: readonly (ColumnPattern & { readonly direction: string | null })[];
}

export interface Sample extends Node {
  readonly kind: "sample";
  readonly share: Expression;
}

export interface KeyColumn {
  readonly name: string;
  readonly type: string | null;
  readonly at: number;
}

export interface ParseKeys extends Node {
  readonly kind: "parse-kv";
  readonly value: Expression;
  readonly columns: readonly KeyColumn[];
  readonly options: readonly Option[];
}

export interface Redact extends Node {
  readonly kind: "redact";
  readonly options: readonly Option[];
  readonly patterns: readonly unknown[];
  readonly columns: readonly string[] | null;
}

/** An operator or a source that is parsed but not supported. */
export interface Unsupported extends Node {
  readonly kind: "unsupported";
  readonly name: string;
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
  | Join
  | MakeSeries
  | Reorder
  | Sample
  | ParseKeys
  | Redact
  | Unsupported
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

export interface Datatable extends Node {
  readonly kind: "datatable";
  readonly columns: readonly KeyColumn[];
  readonly values: readonly Expression[];
}

export interface RangeSource extends Node {
  readonly kind: "range";
  readonly name: string;
  readonly from: Expression;
  readonly to: Expression;
  readonly step: Expression;
}

export type Source = Dataset | Print | Union | Search | Nested | Datatable | RangeSource | Unsupported;

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

export interface SetOption extends Node {
  readonly kind: "set";
  readonly name: string;
}

export type Statement = Let | SetOption;

export interface Query {
  readonly statements: readonly Statement[];
  readonly body: Pipeline;
}
