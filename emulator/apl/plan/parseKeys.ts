import type { OperatorOf } from "../ast";
import { callComputed } from "../functions/define";
import { pointerTo, quote } from "../sql";
import { cast } from "../types";
import type { Context } from "./context";
import { planExpression } from "./expression";
import { findType } from "./literal";
import { addColumns, type Column, type Relation } from "./relation";
import { scopeOf } from "./scope";

const optionDefaults = { pair_delimiter: " ", kv_delimiter: "=", quote: '"', escape: "", greedy: "false" } as const;

/** `parse-kv x as (a: long, b) with (…)`: one new column for each key. */
export function parseKeys(context: Context, input: Relation, node: OperatorOf<"parse-kv">): Relation {
  const foreign = Object.keys(node.options).find((name) => !Object.hasOwn(optionDefaults, name));
  if (foreign) context.fail("unsupported", `parse-kv with ${foreign} is not supported by the emulator`, node.at);
  const options = { ...optionDefaults, ...node.options };
  const text = cast(planExpression(context, scopeOf(input), node.value), "string");
  const found = context.newName();
  const separators = [options.pair_delimiter, options.kv_delimiter, options.quote].map(quote);
  const call = callComputed(context, "parse_kv", "dynamic", [text, ...separators]);
  const parsed = context.addStep(`SELECT *, ${call} AS ${found} FROM ${input.from}`);
  const columns = node.columns.map(
    ({ name, type, at }): Column => ({ name, sql: context.newName(), type: findType(context, type ?? "string", at) }),
  );
  const selects = columns.map(({ name, sql, type }) => {
    const text = `json_extract_string(${found}, ${quote(pointerTo(name))})`;
    return `${cast({ type: "string", sql: text }, type)} AS ${sql}`;
  });
  return addColumns(input, context.addStep(`SELECT *, ${selects.join(", ")} FROM ${parsed}`), columns);
}
