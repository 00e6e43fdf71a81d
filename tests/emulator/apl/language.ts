import { scalarFunctions } from "../../../emulator/apl/functions";
import { knownOperators } from "../../../emulator/apl/parse";
import { aggregates } from "../../../emulator/apl/plan/aggregate";
import { specialForms } from "../../../emulator/apl/plan/call";

const inOrder = (names: Iterable<string>): readonly string[] => [...new Set(names)].sort();

/** The supported part of the query language, by name, from the code. */
export const language: Readonly<Record<string, readonly string[]>> = {
  "tabular operators": inOrder([...knownOperators, "print", "datatable", "range"]),
  aggregations: inOrder([...Object.keys(aggregates), "arg_max", "arg_min"]),
  "scalar functions": inOrder([...scalarFunctions.keys(), ...specialForms.keys()]),
};

/** Parts of the language that this engine refuses by name. */
export const refused: readonly { readonly kind: string; readonly names: readonly string[]; readonly reason: string }[] =
  [
    { kind: "tabular operators", names: ["externaldata"], reason: "reads files of other hosts" },
    { kind: "tabular operators", names: ["find", "evaluate"], reason: "not in the language's reference" },
    { kind: "tabular operators", names: ["render"], reason: "draws a chart, and changes no result" },
    { kind: "aggregations", names: ["phrases", "spotlight"], reason: "the reference does not say how they compute" },
    { kind: "scalar functions", names: ["cursor_current"], reason: "a position in the service's own storage" },
    {
      kind: "scalar functions",
      names: ["parse_apl", "parse_sql", "format_sql"],
      reason: "the form of their trees is not public",
    },
    { kind: "scalar functions", names: ["geo_info_from_ip_address"], reason: "needs a database of addresses" },
    {
      kind: "scalar functions",
      names: (
        "concat_contents conversation_turns cost estimate_tokens extract_assistant_response extract_function_results " +
        "extract_system_prompt extract_tool_calls extract_user_prompt get_content_by_index get_content_by_role " +
        "get_pricing get_role has_tool_calls input_cost is_truncated message_roles output_cost"
      )
        .split(" ")
        .map((name) => `genai_${name}`),
      reason: "follow the price lists and the forms of messages of other services, which change",
    },
  ];

/** Both lists as tables for the documentation. */
export function describeLanguage(): string {
  const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(" ");
  const runs = Object.entries(language).map(([kind, names]) => `| ${kind} | ${list(names)} |\n`);
  const refusals = refused.map(({ names, reason }) => `| ${list(names)} | ${reason} |\n`);
  return [
    `| | runs |\n| --- | --- |\n${runs.join("")}`,
    `| refused by name | because it |\n| --- | --- |\n${refusals.join("")}`,
  ].join("\n");
}
