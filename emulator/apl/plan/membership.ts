import type { ExpressionOf } from "../ast";
import { literalOf } from "../nodes";
import { cast, strictCondition, type Value } from "../types";
import { testAnyField } from "./anyField";
import { compare, compareEqual, looseCondition, negate, unifySides } from "./compare";
import { type Context, maxSql } from "./context";
import { planLiteral } from "./literal";
import type { PlanInner, Scope } from "./scope";

/** `x in (…)`, `x has_any (…)` and similar operators. */
export function planMembership(context: Context, scope: Scope, node: ExpressionOf<"set">, plan: PlanInner): Value {
  const { op, left, at } = node;
  const test = testRows(context, scope, node) ?? testItems(context, scope, node, plan);
  const result = left.kind === "star" ? testAnyField(context, scope, at, test) : test(plan(scope, left));
  return op.startsWith("!") ? negate(result) : result;
}

type Test = (value: Value) => Value;

/** How an operator on a set compares a value with one item. */
function itemTest(op: string, value: Value): Test {
  const word = { has_any: "has", has_any_cs: "has_cs", has_all: "has", has_all_cs: "has_cs" }[op];
  if (word) return (item) => compare(word, value, item);
  return (item) => (op.endsWith("~") ? compare("=~", value, item) : isWithin(value, item));
}

/** A test whether a value is in a table: one bound by `let`, or a pipeline in the parentheses. */
function testRows(context: Context, scope: Scope, { op, items: [item], at }: ExpressionOf<"set">): Test | undefined {
  const isBound = item?.kind === "name" && !scope.columns.has(item.name);
  const body = item?.kind === "rows" ? item.body : isBound ? context.tables.get(item.name) : undefined;
  if (!body) return undefined;
  const { from, columns, unknown } = context.enter(at, () => context.planTable(body));
  const [column] = columns;
  if (unknown !== "listed" || !column)
    return context.fail("semantic", "a set takes its items from one column: name it with project or distinct", at);
  const isPlain = /^!?in~?$/.test(op);
  return (value) => {
    const fold = (side: Value) => `lower(${cast(side, "string")})`;
    const [left, right] = op.endsWith("~") ? [fold(value), fold(column)] : unifySides(value, column);
    if (isPlain) return looseCondition(`${left} IN (SELECT ${right} FROM ${from} WHERE ${right} IS NOT NULL)`);
    const found = strictCondition(itemTest(op, value)(column));
    const [exists, condition] = op.startsWith("has_all") ? ["NOT EXISTS", `NOT ${found}`] : ["EXISTS", found];
    return looseCondition(`${exists} (SELECT 1 FROM ${from} WHERE ${condition})`);
  };
}

function testItems(context: Context, scope: Scope, { op, items, at }: ExpressionOf<"set">, plan: PlanInner): Test {
  const values = items.flatMap((item) =>
    item.kind === "literal" && item.type === "dynamic" && Array.isArray(item.value)
      ? item.value.map((inner) => planLiteral(context, literalOf(inner, item.at)))
      : [plan(scope, item)],
  );
  return (value) => {
    if (value.sql.length * values.length > maxSql) context.fail("semantic", "the expression is too large", at);
    const tests = values.map(itemTest(op, value)).map(strictCondition);
    return looseCondition(tests.join(op.startsWith("has_all") ? " AND " : " OR ") || "false");
  };
}

/** If an item is a list at run time, it contains the value if one of its elements is equal. */
function isWithin(value: Value, item: Value): Value {
  const same = compareEqual(value, item);
  if (item.type !== "dynamic") return same;
  const list = `apl_list(${item.sql})`;
  return looseCondition(
    `${strictCondition(same)} OR list_contains(list_transform(${list}, lambda e: apl_text(e)), ${cast(value, "string")})`,
  );
}
