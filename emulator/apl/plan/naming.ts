import type { NamedExpression } from "../ast";
import { ownName } from "../nodes";
import { plainName } from "./aggregate";

/** Gives every column an unused name: `Column1`, or `count_` and `avg_duration` for aggregations. */
export class Namer {
  readonly #taken = new Set<string>();
  #columns = 0;

  constructor(explicit: readonly { readonly name: string | null }[]) {
    for (const { name } of explicit) if (name !== null) this.#taken.add(name);
  }

  nameColumn(node: NamedExpression): string {
    return node.name ?? this.freeName(ownName(node.value) ?? this.#nextColumnName());
  }

  nameAggregation(node: NamedExpression): string {
    if (node.name !== null) return node.name;
    if (node.value.kind !== "call") return this.freeName(this.#nextColumnName());
    const name = plainName(node.value.name);
    const [first, second] = node.value.args
      .slice(0, name === node.value.name ? undefined : -1)
      .map(({ value }) => value);
    const field = first && first.kind !== "star" ? (ownName(first) ?? "") : "";
    const percent = name === "percentile" && second?.kind === "literal" ? `_${second.value}` : "";
    return this.freeName(`${name}_${field}${percent}`);
  }

  freeName(wanted: string): string {
    let name = wanted;
    for (let n = 1; this.#taken.has(name); n += 1) name = `${wanted}${n}`;
    this.#taken.add(name);
    return name;
  }

  #nextColumnName(): string {
    this.#columns += 1;
    return `Column${this.#columns}`;
  }
}
