import type { OperatorOf } from "../ast";
import { callComputed } from "../functions/define";
import { quote } from "../sql";
import { cast } from "../types";
import type { Context } from "./context";
import { planExpression } from "./expression";
import { findType } from "./literal";
import type { Column, Relation } from "./relation";
import { scopeOf } from "./scope";

const optionDefaults = { pair_delimiter: " ", kv_delimiter: "=", quote: '"', escape: "", greedy: "false" } as const;

/** `parse-kv x as (a: long, b) with (…)`: one new column for each key. */
export function parseKeys(context: Context, input: Relation, node: OperatorOf<"parse-kv">): Relation {
  const foreign = node.options.find(({ name }) => !Object.hasOwn(optionDefaults, name));
  if (foreign) context.fail("unsupported", `parse-kv with ${foreign.name} is not supported by the emulator`, node.at);
  const option = (name: keyof typeof optionDefaults) =>
    quote(node.options.find((given) => given.name === name)?.value ?? optionDefaults[name]);
  const text = cast(planExpression(context, scopeOf(input), node.value), "string");
  const found = context.newName();
  const call = callComputed(context, "parse_kv", "dynamic", [
    text,
    option("pair_delimiter"),
    option("kv_delimiter"),
    option("quote"),
  ]);
  const parsed = context.addStep(`SELECT *, ${call} AS ${found} FROM ${input.from}`);
  const columns = new Map(input.columns.map((column) => [column.name, column]));
  const selects = node.columns.map(({ name, type, at }) => {
    const column: Column = { name, sql: context.newName(), type: findType(context, type ?? "string", at) };
    columns.set(name, column);
    const pointer = quote(`/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    return `${cast({ type: "string", sql: `json_extract_string(${found}, ${pointer})` }, column.type)} AS ${column.sql}`;
  });
  const from = context.addStep(`SELECT *, ${selects.join(", ")} FROM ${parsed}`);
  return { ...input, from, columns: [...columns.values()] };
}
