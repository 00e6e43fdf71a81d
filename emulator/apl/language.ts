import { scalarFunctions } from "./functions";
import { knownOperators } from "./parse";
import { aggregates } from "./plan/aggregate";
import { specialForms } from "./plan/call";

const inOrder = (names: Iterable<string>): readonly string[] => [...new Set(names)].sort();

/** The supported part of the query language, by name, from the code. */
export const language: Readonly<Record<string, readonly string[]>> = {
  "tabular operators": inOrder([...knownOperators, "print", "datatable", "range"]),
  aggregations: inOrder([...Object.keys(aggregates), "arg_max", "arg_min"]),
  "scalar functions": inOrder([...scalarFunctions.keys(), ...specialForms.keys()]),
};

/** Parts of the language that this engine refuses by name: they need another service, or only format results for people. */
export const refused: Readonly<Record<string, readonly string[]>> = {
  "tabular operators": ["externaldata", "find", "evaluate", "render"],
  aggregations: ["phrases", "spotlight"],
  "scalar functions": [
    "cursor_current",
    "format_sql",
    "geo_info_from_ip_address",
    "parse_sql",
    ...(
      "concat_contents conversation_turns cost estimate_tokens extract_assistant_response extract_function_results " +
      "extract_system_prompt extract_tool_calls extract_user_prompt get_content_by_index get_content_by_role get_pricing " +
      "get_role has_tool_calls input_cost is_truncated message_roles output_cost"
    )
      .split(" ")
      .map((name) => `genai_${name}`),
  ],
};

/** Both lists as a table for the documentation. */
export function describeLanguage(): string {
  const list = (names: readonly string[] = []) => names.map((name) => `\`${name}\``).join(" ");
  const rows = Object.entries(language).map(
    ([kind, names]) => `| ${kind} | ${list(names)} | ${list(refused[kind])} |\n`,
  );
  return `| | runs | refused by name |\n| --- | --- | --- |\n${rows.join("")}`;
}
