import type { OperatorOf } from "../ast";
import { patternProblem } from "../computed/redact";
import { callComputed } from "../functions/define";
import { quote } from "../sql";
import { cast } from "../types";
import type { Context } from "./context";
import type { Column, Relation } from "./relation";

/** Replaces matches of patterns in the named fields, or in every text. */
export function redactColumns(context: Context, input: Relation, node: OperatorOf<"redact">): Relation {
  const option = (name: string) => node.options.find((given) => given.name === name)?.value;
  const isOn = (name: string) => quote(String(option(name) === "true"));
  if (option("replaceToken") !== undefined && option("replaceHash") === "true")
    context.fail("semantic", "redact takes either replaceToken or replaceHash", node.at);
  const patterns = node.patterns.flatMap((pattern) =>
    typeof pattern === "object" && pattern !== null ? Object.values(pattern) : [pattern],
  );
  for (const pattern of patterns) {
    const problem = typeof pattern === "string" ? patternProblem(pattern) : "it is not a text";
    if (problem !== undefined)
      context.fail("semantic", `${JSON.stringify(pattern)} is not a valid regular expression: ${problem}`, node.at);
  }
  const findColumns = ({ name, type }: Column) => node.columns?.includes(name) ?? type === "string";
  const redacted = new Map<Column, Column>();
  for (const column of input.columns.filter(findColumns))
    redacted.set(column, { name: column.name, sql: context.newName(), type: "string" });
  const selects = [...redacted].map(([before, after]) => {
    const args = [cast(before, "string"), quote(JSON.stringify(patterns)), quote(option("replaceToken") ?? "*")];
    return `${callComputed(context, "redact", "string", [...args, isOn("replaceHash"), isOn("redactGroups")])} AS ${after.sql}`;
  });
  if (selects.length === 0) return input;
  const from = context.addStep(`SELECT *, ${selects.join(", ")} FROM ${input.from}`);
  return { ...input, from, columns: input.columns.map((column) => redacted.get(column) ?? column) };
}
