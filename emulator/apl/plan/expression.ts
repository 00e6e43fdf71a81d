import type { Expression, ExpressionOf } from "../ast";
import { reservedFields } from "../catalog";
import { defined } from "../defined";
import { name as nameNode } from "../nodes";
import { integer, pointerTo, quote } from "../sql";
import { cast, nullValue, type Value } from "../types";
import { isAggregate, planAggregate } from "./aggregate";
import type { SummaryScope } from "./aggregateSite";
import { testAnyField, testTerm } from "./anyField";
import { planArithmetic } from "./arithmetic";
import { planCall } from "./call";
import { compare, looseCondition, negate } from "./compare";
import { type Context, maxSql } from "./context";
import { findType, planLiteral } from "./literal";
import { planMembership } from "./membership";
import type { Column } from "./relation";
import { constantScope, findColumn, type PlanInner, requireAggregation, type Scope } from "./scope";

/** Operators that fold the case of letters unless their name ends in `_cs`. */
const foldingOperators: ReadonlySet<string> = new Set(
  "contains startswith endswith has hasprefix hassuffix".split(" "),
);

/** SQL of an expression, with its type. */
export function planExpression(context: Context, scope: Scope, node: Expression): Value {
  const value = planNode(context, scope, node);
  if (value.sql.length > maxSql) context.fail("semantic", "the expression is too large", node.at);
  return value;
}

function planNode(context: Context, scope: Scope, node: Expression): Value {
  const inner = (child: Expression) => planExpression(context, scope, child);
  const plan: PlanInner = (other, child) => planExpression(context, other, child);
  switch (node.kind) {
    case "literal":
      return planLiteral(context, node);
    case "typed": {
      const type = findType(context, node.type, node.at);
      return { type, sql: cast(planLiteral(context, node.value), type) };
    }
    case "name":
      return planName(context, scope, node);
    case "member":
      return planMember(context, scope, node);
    case "negate":
      return negateNumber(context, node.at, inner(node.of));
    case "arithmetic":
      return node.rest.reduce(
        (left, { op, right }) => combine(context, node.at, op, left, inner(right)),
        inner(node.first),
      );
    case "logic": {
      // "and" and "or" need not distinguish null from false.
      const items = node.items.map(inner).map((item) => (item.type === "bool" ? item.sql : cast(item, "bool")));
      return looseCondition(items.join(` ${node.op.toUpperCase()} `));
    }
    case "compare": {
      const op = scope.caseSensitive && foldingOperators.has(node.op.replace("!", "")) ? `${node.op}_cs` : node.op;
      if (node.left.kind !== "star") return compare(op, inner(node.left), inner(node.right));
      const needle = inner(node.right);
      return testAnyField(context, scope, node.at, (field) => compare(op, field, needle), { op, needle });
    }
    case "between": {
      const value = inner(node.left);
      const start = inner(node.low);
      const end = inner(node.high);
      // A span at the end is counted from the start.
      const until =
        start.type === "datetime" && end.type === "timespan" ? combine(context, node.at, "+", start, end) : end;
      const [low, high] = [compare(">=", value, start), compare("<=", value, until)];
      const within = looseCondition(`${low.sql} AND ${high.sql}`);
      return node.negated ? negate(within) : within;
    }
    case "set":
      return planMembership(context, scope, node, plan);
    case "call":
      if (isAggregate(node.name) && (scope.aggregates || !scope.relation)) {
        return hoistAggregate(scope, planAggregate(context, scope, node, plan));
      }
      return planCall(context, scope, node, plan);
    case "term": {
      const field = node.field === null ? undefined : inner(nameNode(node.field, node.at));
      return testTerm(context, scope, field, node.value, node.at);
    }
    case "rows":
      return context.fail("semantic", "a table can be used as a list of values only inside in (…)", node.at);
    case "star":
      return context.fail("semantic", "* can be used only to the left of a text operator, or in count(*)", node.at);
  }
}

const hoistAggregate = (scope: SummaryScope, value: Value): Value => scope.hoist?.(value) ?? value;

/** A condition for WHERE, which treats null as false. */
export function planCondition(context: Context, scope: Scope, node: Expression): string {
  const value = planExpression(context, scope, node);
  return value.type === "bool" ? value.sql : cast(value, "bool");
}

const valueIn = ({ sql, type, isNumber }: Column): Value => ({ sql, type, ...defined({ isNumber }) });

function planName(context: Context, scope: Scope, { name, at }: ExpressionOf<"name">): Value {
  const column = findColumn(scope, name);
  const bound = context.scalars.get(name);
  const field = column ? valueIn(column) : bound ? undefined : wholeMap([...scope.columns.values()], `${name}.`, scope);
  if (field && scope.aggregates) requireAggregation(context, name, at);
  if (field) return field;
  if (bound) return context.enter(at, () => planExpression(context, constantScope, bound));
  if (context.tables.has(name))
    return context.fail("semantic", `"${name}" is a table: its values can be used only inside in (${name})`, at);
  const dots = [...name.matchAll(/\./g)].map(({ index }) => index).reverse();
  const prefix = dots.find((dot) => scope.columns.has(name.slice(0, dot)));
  if (prefix !== undefined) {
    const of = planName(context, scope, { kind: "name", name: name.slice(0, prefix), at });
    return name
      .slice(prefix + 1)
      .split(".")
      .reduce((value, key) => takeProperty(value, key), of);
  }
  if (!scope.relation) return context.fail("semantic", `there is no "${name}" here`, at);
  if (scope.relation.unknown === "listed") {
    const known = [...scope.columns.keys()].join(", ");
    return context.fail("semantic", `there is no field "${name}" at this point; the fields are ${known}`, at);
  }
  if (scope.relation.unknown === "invalid" && !reservedFields.has(name))
    return context.fail("field", `invalid field: ${JSON.stringify(name)}`, at);
  context.missing.set(name, (context.missing.get(name) ?? 0) + 1);
  return nullValue;
}

/** Fields with dotted names, such as `geo.city` and `geo.country`, as one dynamic value: the object that an event had. */
function wholeMap(columns: readonly Column[], prefix: string, scope: Scope): Value | undefined {
  const within = columns.filter(({ name }) => name.startsWith(prefix));
  if (within.length === 0) return undefined;
  const keys = new Set(within.map(({ name }) => name.slice(prefix.length).split(".")[0] ?? ""));
  const members = [...keys].flatMap((key) => {
    const leaf = within.find(({ name }) => name === prefix + key);
    const value = leaf ? { ...leaf } : wholeMap(within, `${prefix}${key}.`, scope);
    if (leaf) scope.noteUse?.(leaf);
    return value ? `${quote(`${JSON.stringify(key)}:`)} || CAST(${cast(value, "dynamic")} AS VARCHAR)` : [];
  });
  return { type: "dynamic", sql: `CAST('{' || nullif(concat_ws(',', ${members.join(", ")}), '') || '}' AS JSON)` };
}

/** `a.b` and `a["b"]`: a field with that dotted name, or else a member of a dynamic field. */
function planMember(context: Context, scope: Scope, node: ExpressionOf<"member">): Value {
  const path = node.of.kind === "name" && node.key.kind === "literal" ? `${node.of.name}.${node.key.value}` : undefined;
  const column = path === undefined ? undefined : findColumn(scope, path);
  if (column && !scope.aggregates) return valueIn(column);
  const of = planExpression(context, scope, node.of);
  if (node.key.kind === "literal" && node.key.type === "string") return takeProperty(of, String(node.key.value));
  if (node.key.kind === "literal" && node.key.type === "long") return takeProperty(of, String(Number(node.key.value)));
  const key = planExpression(context, scope, node.key);
  if (of.type === "null") return nullValue;
  const value = of.type === "dynamic" ? of.sql : cast(of, "dynamic");
  if (key.type === "string")
    return {
      type: "dynamic",
      sql: `apl_json(json_extract(${value}, '/' || replace(replace(${key.sql}, '~', '~0'), '/', '~1')))`,
    };
  if (key.type !== "long") return context.fail("semantic", "an index must be a whole number or a string", node.key.at);
  return {
    type: "dynamic",
    sql: `apl_json(json_extract(${value}, '$[' || CASE WHEN ${key.sql} < 0 THEN '#' ELSE '' END || ${key.sql} || ']'))`,
  };
}

function takeProperty(of: Value, key: string): Value {
  if (of.type === "null") return nullValue;
  if (of.type !== "dynamic") return { type: "dynamic", sql: "CAST(NULL AS JSON)" };
  const { root, pointer } = of.inside ?? { root: of.sql, pointer: "" };
  const inside = { root, pointer: pointer + pointerTo(key) };
  return { type: "dynamic", sql: `apl_json(json_extract(${root}, ${quote(inside.pointer)}))`, inside };
}

function negateNumber(context: Context, at: number, value: Value): Value {
  const { type, constant } = value;
  if (typeof constant === "bigint") return { type, sql: integer(-constant), constant: -constant };
  return combine(
    context,
    at,
    "-",
    { sql: "CAST(0 AS BIGINT)", type: value.type === "timespan" ? "timespan" : "long" },
    value,
  );
}

const combine = (context: Context, at: number, op: string, left: Value, right: Value): Value =>
  planArithmetic(op, left, right) ??
  context.fail(
    "semantic",
    `${left.type} ${op} ${right.type} is not possible: convert with toint(), toreal(), tostring(), …`,
    at,
  );
