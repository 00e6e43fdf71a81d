import type { Expression, Member, Membership, Name, Term } from "../ast";
import { defined } from "../defined";
import { integer, quote } from "../sql";
import { cast, nullValue, strictCondition, type Value } from "../types";
import { isAggregate, planAggregate } from "./aggregate";
import type { SummaryScope } from "./aggregateSite";
import { testAnyField, testTerm } from "./anyField";
import { planArithmetic } from "./arithmetic";
import { planCall } from "./call";
import { compare, compareEqual, looseCondition, negate } from "./compare";
import type { Context } from "./context";
import { findType, planLiteral } from "./literal";
import type { Column } from "./relation";
import { constantScope, findColumn, type PlanInner, type Scope } from "./scope";

/** Some functions use an argument twice, so nested calls could grow without bound. */
const maxSql = 300_000;

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
      if (node.left.kind === "star") return anyFieldCompares(context, scope, node.at, op, inner(node.right));
      return compare(op, inner(node.left), inner(node.right));
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
      return planMembership(context, scope, node);
    case "call":
      if (isAggregate(node.name) && (scope.aggregates || !scope.relation)) {
        return hoistAggregate(scope, planAggregate(context, scope, node, plan));
      }
      return planCall(context, scope, node, plan);
    case "term":
      return testTerm(context, scope, planField(context, scope, node), node.value, node.at);
    case "star":
      return context.fail(
        "semantic",
        "* stands for a field only at the left of a text operator, or in count(*)",
        node.at,
      );
  }
}

const hoistAggregate = (scope: SummaryScope, value: Value): Value => scope.hoist?.(value) ?? value;

/** A condition for WHERE, which treats null as false. */
export function planCondition(context: Context, scope: Scope, node: Expression): string {
  const value = planExpression(context, scope, node);
  return value.type === "bool" ? value.sql : cast(value, "bool");
}

const valueIn = ({ sql, type, isNumber }: Column): Value => ({ sql, type, ...defined({ isNumber }) });

function planName(context: Context, scope: Scope, { name, at }: Name): Value {
  const column = findColumn(scope, name);
  if (column) {
    if (scope.aggregates)
      context.fail("semantic", `"${name}" must stand inside an aggregation, such as max(${name})`, at);
    return valueIn(column);
  }
  const bound = context.scalars.get(name);
  if (bound) return context.enter(at, () => planExpression(context, constantScope, bound));
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
  if (!scope.relation.open) {
    const known = [...scope.columns.keys()].join(", ");
    return context.fail("semantic", `there is no field "${name}" at this point; there are ${known}`, at);
  }
  context.missing.set(name, (context.missing.get(name) ?? 0) + 1);
  return nullValue;
}

/** `a.b` and `a["b"]`: a field with that dotted name, or else a member of a dynamic field. */
function planMember(context: Context, scope: Scope, node: Member): Value {
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
  if (key.type !== "long") return context.fail("semantic", "an index is a whole number or a text", node.key.at);
  return {
    type: "dynamic",
    sql: `apl_json(json_extract(${value}, '$[' || CASE WHEN ${key.sql} < 0 THEN '#' ELSE '' END || ${key.sql} || ']'))`,
  };
}

function takeProperty(of: Value, key: string): Value {
  if (of.type === "null") return nullValue;
  if (of.type !== "dynamic") return { type: "dynamic", sql: "CAST(NULL AS JSON)" };
  const { root, pointer } = of.inside ?? { root: of.sql, pointer: "" };
  const inside = { root, pointer: `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}` };
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
    `${left.type} ${op} ${right.type} has no meaning: convert with toint(), toreal(), tostring(), …`,
    at,
  );

function planMembership(context: Context, scope: Scope, { op, left, items, at }: Membership): Value {
  const values = items.flatMap((item) =>
    item.kind === "literal" && item.type === "dynamic" && Array.isArray(item.value)
      ? item.value.map((inner) => planLiteral(context, literalOf(inner, item.at)))
      : [planExpression(context, scope, item)],
  );
  const words = { has_any: "has", has_any_cs: "has_cs", has_all: "has", has_all_cs: "has_cs" } as const;
  const word = words[op as keyof typeof words];
  const test = (value: Value) => (item: Value) =>
    word ? compare(word, value, item) : op.endsWith("~") ? compare("=~", value, item) : isWithin(value, item);
  const found = (value: Value): Value => {
    if (value.sql.length * values.length > maxSql) context.fail("semantic", "the expression is too large", at);
    return anyOf(value);
  };
  const anyOf = (value: Value) =>
    looseCondition(
      values.length === 0
        ? "false"
        : values
            .map(test(value))
            .map(strictCondition)
            .join(op.startsWith("has_all") ? " AND " : " OR "),
    );
  const result =
    left.kind === "star" ? testAnyField(context, scope, at, found) : found(planExpression(context, scope, left));
  return op.startsWith("!") ? negate(result) : result;
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

const anyFieldCompares = (context: Context, scope: Scope, at: number, op: string, needle: Value): Value =>
  testAnyField(context, scope, at, (field) => compare(op, field, needle), { op, needle });

/** The field that a term names, if it names one. */
const planField = (context: Context, scope: Scope, { field, at }: Term): Value | undefined =>
  field === null ? undefined : planName(context, scope, { kind: "name", name: field, at });

function literalOf(value: unknown, at: number) {
  const type =
    typeof value === "string" ? "string" : typeof value === "boolean" ? "bool" : value === null ? "null" : "dynamic";
  if (typeof value !== "number") return { kind: "literal", type, value, at } as const;
  return { kind: "literal", type: Number.isInteger(value) ? "long" : "real", value: String(value), at } as const;
}
