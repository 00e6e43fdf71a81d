import type { OperatorOf } from "../ast";
import { patternProblem } from "../computed/redact";
import { callComputed } from "../functions/define";
import { quote } from "../sql";
import { cast } from "../types";
import type { Context } from "./context";
import type { Column, Relation } from "./relation";

/** Plans `redact`, which replaces matches of patterns in the named fields, or in all text fields. */
export function redactColumns(context: Context, input: Relation, node: OperatorOf<"redact">): Relation {
  const { replaceToken, replaceHash, redactGroups } = node.options;
  if (replaceToken !== undefined && replaceHash === "true")
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
    const options = [JSON.stringify(patterns), replaceToken ?? "*", replaceHash ?? "", redactGroups ?? ""].map(quote);
    return `${callComputed(context, "redact", "string", [cast(before, "string"), ...options])} AS ${after.sql}`;
  });
  if (selects.length === 0) return input;
  const from = context.addStep(`SELECT *, ${selects.join(", ")} FROM ${input.from}`);
  return { ...input, from, columns: input.columns.map((column) => redacted.get(column) ?? column) };
}
