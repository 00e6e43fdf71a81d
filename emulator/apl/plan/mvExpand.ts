import type { OperatorOf } from "../ast";
import { cast, nullValue, type Value } from "../types";
import type { Context } from "./context";
import { planExpression } from "./expression";
import { findType } from "./literal";
import { Namer } from "./naming";
import { constantCount } from "./operators";
import { multiply, type Relation } from "./relation";
import { scopeOf } from "./scope";

/** One row for each element of a list or key of a bag. A null becomes one row, an empty list none. */
export function mvExpand(context: Context, input: Relation, node: OperatorOf<"mv-expand">): Relation {
  const foreign = node.options.find(
    ({ name, value }) => name !== "with_itemindex" && !(value === "array" || value === "bag"),
  );
  if (foreign)
    context.fail("unsupported", `mv-expand ${foreign.name}=${foreign.value} is not supported by the emulator`, node.at);
  const limit = node.limit === null ? undefined : constantCount(context, node.limit);
  const namer = new Namer(node.expansions);
  const lists = node.expansions.map((expansion) => {
    const value = planExpression(context, scopeOf(input), expansion.value);
    return {
      list: context.newName(),
      sql: elementsOf(value.type === "null" ? nullValue : { type: "dynamic", sql: cast(value, "dynamic") }),
      item: context.newName(),
      name: namer.nameColumn(expansion),
      type: expansion.type,
      at: expansion.at,
    };
  });
  const limitItems = (sql: string) => (limit === undefined ? sql : `list_slice(${sql}, 1, ${limit})`);
  const prepared = context.addStep(
    `SELECT *, ${lists.map(({ sql, list }) => `${limitItems(sql)} AS ${list}`).join(", ")} FROM ${input.from}`,
  );
  const index = context.newName();
  const longest = `greatest(${lists.map(({ list }) => `len(${list})`).join(", ")})`;
  const unnested = lists.map(({ list, item }) => `unnest(${list}) AS ${item}`).join(", ");
  const expanded = context.addStep(`SELECT *, ${unnested}, unnest(range(${longest})) AS ${index} FROM ${prepared}`);
  const columns = new Map(input.columns.map((column) => [column.name, column]));
  const casts: string[] = [];
  for (const { name, item, type, at } of lists) {
    const target = type === null ? "dynamic" : findType(context, type, at);
    const sql = context.newName();
    casts.push(`${cast({ type: "dynamic", sql: `apl_json(${item})` }, target)} AS ${sql}`);
    columns.set(name, { name, sql, type: target });
  }
  const itemIndex = node.options.find(({ name }) => name === "with_itemindex")?.value;
  if (itemIndex !== undefined) columns.set(itemIndex, { name: itemIndex, sql: index, type: "long" });
  const from = context.addStep(`SELECT *, ${casts.join(", ")} FROM ${expanded}`);
  return { ...multiply(input, index), from, columns: [...columns.values()] };
}

const elementsOf = ({ sql, type }: Value): string =>
  type === "null"
    ? "[CAST(NULL AS JSON)]"
    : `CASE json_type(${sql}) WHEN 'ARRAY' THEN CAST(${sql} AS JSON[])
       WHEN 'OBJECT' THEN list_transform(json_keys(${sql}), lambda k:
         CAST(json_object(k, json_extract(${sql}, '/' || replace(replace(k, '~', '~0'), '/', '~1'))) AS JSON))
       ELSE [${sql}] END`;
