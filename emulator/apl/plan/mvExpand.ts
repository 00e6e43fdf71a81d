import type { OperatorOf } from "../ast";
import { cast, nullValue, type Value } from "../types";
import type { Context } from "./context";
import { planExpression } from "./expression";
import { findType } from "./literal";
import { Namer } from "./naming";
import { constantCount } from "./operators";
import { addColumns, type Column, multiply, type Relation } from "./relation";
import { scopeOf } from "./scope";

/** Plans `mv-expand`: one row for each element of a list or key of an object. A null becomes one row, an empty list none. */
export function mvExpand(context: Context, input: Relation, node: OperatorOf<"mv-expand">): Relation {
  const { with_itemindex: itemIndex, ...kinds } = node.options;
  const foreign = Object.entries(kinds).find(([, value]) => value !== "array" && value !== "bag");
  if (foreign) context.fail("unsupported", `mv-expand ${foreign.join("=")} is not supported by the emulator`, node.at);
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
  const items = lists.map(
    ({ name, type, at }): Column => ({
      name,
      sql: context.newName(),
      type: type === null ? "dynamic" : findType(context, type, at),
    }),
  );
  const casts = items.map(
    ({ sql, type }, i) => `${cast({ type: "dynamic", sql: `apl_json(${lists[i]?.item})` }, type)} AS ${sql}`,
  );
  const indexes: Column[] = itemIndex === undefined ? [] : [{ name: itemIndex, sql: index, type: "long" }];
  const from = context.addStep(`SELECT *, ${casts.join(", ")} FROM ${expanded}`);
  return addColumns(multiply(input, index), from, [...items, ...indexes]);
}

const elementsOf = ({ sql, type }: Value): string =>
  type === "null"
    ? "[CAST(NULL AS JSON)]"
    : `CASE json_type(${sql}) WHEN 'ARRAY' THEN CAST(${sql} AS JSON[])
       WHEN 'OBJECT' THEN list_transform(json_keys(${sql}), lambda k:
         CAST(json_object(k, json_extract(${sql}, '/' || replace(replace(k, '~', '~0'), '/', '~1'))) AS JSON))
       ELSE [${sql}] END`;
