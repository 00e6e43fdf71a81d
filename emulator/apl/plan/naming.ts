import type { Expression, NamedExpression } from "../ast";

/** Functions that leave the field recognisable, so that their result keeps its name. */
const TRANSPARENT = /^(bin|bin_auto|floor|to(string|int|long|real|double|bool|datetime|timespan|lower|upper))$/;

/** The name that an expression has of itself. */
export function ownName(node: Expression): string | undefined {
  if (node.kind === "name") return node.name;
  if (node.kind === "member" && node.key.kind === "literal" && node.key.type === "string") {
    const inner = ownName(node.of);
    return inner === undefined ? undefined : `${inner}.${node.key.value}`;
  }
  const [first] = node.kind === "call" ? node.args : [];
  return node.kind === "call" && first && TRANSPARENT.test(node.name) ? ownName(first.value) : undefined;
}

/** Gives every column a name that is free: `Column1`, or `count_` and `avg_duration` for aggregations. */
export class Namer {
  private readonly taken = new Set<string>();
  private columns = 0;

  constructor(explicit: readonly NamedExpression[]) {
    for (const { name } of explicit) if (name !== null) this.taken.add(name);
  }

  column(node: NamedExpression): string {
    return node.name ?? this.free(ownName(node.value) ?? this.numbered());
  }

  aggregation(node: NamedExpression): string {
    if (node.name !== null) return node.name;
    if (node.value.kind !== "call") return this.free(this.numbered());
    const { name, args } = node.value;
    const [first, second] = args.map(({ value }) => value);
    const field = first && first.kind !== "star" ? (ownName(first) ?? "") : "";
    const percent = name === "percentile" && second?.kind === "literal" ? `_${second.value}` : "";
    return this.free(`${name}_${field}${percent}`);
  }

  free(wanted: string): string {
    let name = wanted;
    for (let n = 1; this.taken.has(name); n += 1) name = `${wanted}${n}`;
    this.taken.add(name);
    return name;
  }

  private numbered(): string {
    this.columns += 1;
    return `Column${this.columns}`;
  }
}
