import type { Expression, Pipeline, Query } from "../ast";

/** Every node below a value that is of one kind. */
export function* nodesOf(value: unknown, kind: string): Generator<{ readonly name: string; readonly at: number }> {
  if (typeof value !== "object" || value === null) return;
  if ("kind" in value && value.kind === kind) yield value as unknown as { name: string; at: number };
  for (const inner of Object.values(value)) yield* nodesOf(inner, kind);
}

/** Whether an expression names one of the columns. */
export function mentions(node: Expression, names: ReadonlySet<string>): boolean {
  for (const { name } of nodesOf(node, "name")) if (names.has(name)) return true;
  return false;
}

/** The datasets that a query names, with wildcards as they are, without the names that its own lets bind. */
export function namedDatasets({ statements, body }: Query): readonly string[] {
  const bound = new Set(statements.flatMap(({ name, value }) => (value.kind === "tabular" ? [name] : [])));
  const names = new Set<string>();
  for (const { name, quoted } of nodesOf([statements, body], "dataset") as Generator<{
    name: string;
    quoted: boolean;
    at: number;
  }>) {
    if (quoted || !bound.has(name)) names.add(name);
  }
  if (searchesAll(body)) names.add("*");
  return [...names];
}

const searchesAll = ({ source }: Pipeline): boolean => source.kind === "search" && source.sources.length === 0;
