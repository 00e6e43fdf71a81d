import type { Expression, Pipeline, Query } from "../ast";

interface Found {
  readonly name: string;
  readonly at: number;
}

/** Every node below a value that is of one kind. A loop, not recursion: trees may be deep. */
export function* nodesOf(value: unknown, kind: string): Generator<Found> {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    if ("kind" in next && next.kind === kind) yield next as Found & { readonly kind: string };
    for (const inner of Object.values(next)) open.push(inner);
  }
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
