import type { Expression } from "./ast";

interface Found {
  readonly name: string;
  readonly at: number;
  readonly quoted?: boolean;
}

/** All nodes of a kind below a value. A loop instead of recursion, because trees may be deep. */
export function* nodesOf(value: unknown, kind: string): Generator<Found> {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    if ("kind" in next && next.kind === kind) yield next as Found & { readonly kind: string };
    for (const inner of Object.values(next)) open.push(inner);
  }
}

/** Whether an expression uses one of the columns. */
export function mentions(node: Expression, names: ReadonlySet<string>): boolean {
  for (const { name } of nodesOf(node, "name")) if (names.has(name)) return true;
  return false;
}
