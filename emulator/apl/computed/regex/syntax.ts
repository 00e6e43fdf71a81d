/** Whether a code point belongs to a class. */
export type Test = (code: number) => boolean;

/** The nodes of a pattern. */
export type Node =
  | { readonly kind: "character"; readonly test: Test }
  | { readonly kind: "assertion"; readonly at: Assertion }
  | { readonly kind: "sequence"; readonly nodes: readonly Node[] }
  | { readonly kind: "choice"; readonly nodes: readonly Node[] }
  | { readonly kind: "group"; readonly index: number; readonly node: Node }
  | {
      readonly kind: "repeat";
      readonly node: Node;
      readonly min: number;
      readonly max: number;
      readonly isLazy: boolean;
    };

export type Assertion = "textStart" | "textEnd" | "lineStart" | "lineEnd" | "wordEdge" | "notWordEdge";

/** A pattern with invalid syntax. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}
