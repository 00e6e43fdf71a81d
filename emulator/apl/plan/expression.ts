import type { Expression, Member, Membership, Name } from "../ast";
import { escapeRegex, quote } from "../sql";
import { cast, NULL, strict, type Value } from "../types";
import { aggregateCall, isAggregate, type SummaryScope } from "./aggregate";
import { arithmetic } from "./arithmetic";
import { call } from "./call";
import { compare, equal, loose, negate } from "./compare";
import type { Context } from "./context";
import { literal, typeNamed } from "./literal";
import { CONSTANT, type Scope } from "./scope";

/** Some functions use an argument twice: nested, they could grow without bound. */
const MAX_SQL = 300_000;

/** SQL of an expression, with its type. */
export function expression(context: Context, scope: Scope, node: Expression): Value {
  const value = planned(context, scope, node);
  if (value.sql.length > MAX_SQL) context.fail("semantic", "the expression is too large", node.at);
  return value;
}

function planned(context: Context, scope: Scope, node: Expression): Value {
  const inner = (child: Expression) => expression(context, scope, child);
  switch (node.kind) {
    case "literal":
      return literal(context, node);
    case "typed": {
      const type = typeNamed(context, node.type, node.at);
      return { type, sql: cast(literal(context, node.value), type) };
    }
    case "name":
      return named(context, scope, node);
    case "member":
      return member(context, scope, node);
    case "negate":
      return negative(context, node.at, inner(node.of));
    case "arithmetic":
      return node.rest.reduce(
        (left, { op, right }) => joined(context, node.at, op, left, inner(right)),
        inner(node.first),
      );
    case "logic": {
      const items = node.items.map((item) => cast(inner(item), "bool"));
      return loose(items.join(` ${node.op.toUpperCase()} `));
    }
    case "compare":
      if (node.left.kind === "star")
        return anyField(context, scope, node.at, (field) => compare(node.op, field, inner(node.right)));
      return compare(node.op, inner(node.left), inner(node.right));
    case "between": {
      const value = inner(node.left);
      const start = inner(node.low);
      const end = inner(node.high);
      // A span at the end is counted from the start.
      const until =
        start.type === "datetime" && end.type === "timespan" ? joined(context, node.at, "+", start, end) : end;
      const [low, high] = [compare(">=", value, start), compare("<=", value, until)];
      const within = loose(`${low.sql} AND ${high.sql}`);
      return node.negated ? negate(within) : within;
    }
    case "set":
      return membership(context, scope, node);
    case "call":
      if (isAggregate(node.name) && (scope.aggregates || !scope.relation)) {
        return hoisted(scope, aggregateCall(context, scope, node));
      }
      return call(context, scope, node);
    case "term":
      return term(context, scope, node.field, node.value, node.at);
    case "star":
      return context.fail(
        "semantic",
        "* stands for a field only at the left of a text operator, or in count(*)",
        node.at,
      );
  }
}

const hoisted = (scope: SummaryScope, value: Value): Value => scope.hoist?.(value) ?? value;

/** A condition for WHERE, which takes null for false. */
export function condition(context: Context, scope: Scope, node: Expression): string {
  const value = expression(context, scope, node);
  return value.type === "bool" ? value.sql : cast(value, "bool");
}

function named(context: Context, scope: Scope, { name, at }: Name): Value {
  const column = scope.columns.get(name);
  if (column) {
    if (scope.aggregates)
      context.fail("semantic", `"${name}" must stand inside an aggregation, such as max(${name})`, at);
    return { sql: column.sql, type: column.type };
  }
  const bound = context.scalars.get(name);
  if (bound) return context.nested(at, () => expression(context, CONSTANT, bound));
  const dots = [...name.matchAll(/\./g)].map(({ index }) => index).reverse();
  const prefix = dots.find((dot) => scope.columns.has(name.slice(0, dot)));
  if (prefix !== undefined) {
    const of = named(context, scope, { kind: "name", name: name.slice(0, prefix), at });
    return name
      .slice(prefix + 1)
      .split(".")
      .reduce((value, key) => property(value, key), of);
  }
  if (!scope.relation) return context.fail("semantic", `there is no "${name}" here`, at);
  if (!scope.relation.open) {
    const known = [...scope.columns.keys()].join(", ");
    return context.fail("semantic", `there is no field "${name}" at this point; there are ${known}`, at);
  }
  context.missing.set(name, (context.missing.get(name) ?? 0) + 1);
  return NULL;
}

/** `a.b` and `a["b"]`: a field of that dotted name, or else what is inside a dynamic field. */
function member(context: Context, scope: Scope, node: Member): Value {
  const path = node.of.kind === "name" && node.key.kind === "literal" ? `${node.of.name}.${node.key.value}` : undefined;
  const column = path === undefined ? undefined : scope.columns.get(path);
  if (column && !scope.aggregates) return { sql: column.sql, type: column.type };
  const of = expression(context, scope, node.of);
  if (node.key.kind === "literal" && node.key.type === "string") return property(of, String(node.key.value));
  if (node.key.kind === "literal" && node.key.type === "long") return property(of, String(Number(node.key.value)));
  const key = expression(context, scope, node.key);
  if (of.type === "null") return NULL;
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

function property(of: Value, key: string): Value {
  if (of.type === "null") return NULL;
  if (of.type !== "dynamic") return { type: "dynamic", sql: "CAST(NULL AS JSON)" };
  const { root, pointer } = of.inside ?? { root: of.sql, pointer: "" };
  const inside = { root, pointer: `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}` };
  return { type: "dynamic", sql: `apl_json(json_extract(${root}, ${quote(inside.pointer)}))`, inside };
}

function negative(context: Context, at: number, value: Value): Value {
  const digits = /^CAST\((\d+) AS BIGINT\)$/.exec(value.sql)?.[1];
  if (digits) return { type: value.type, sql: `CAST(-${digits} AS BIGINT)` };
  return joined(
    context,
    at,
    "-",
    { sql: "CAST(0 AS BIGINT)", type: value.type === "timespan" ? "timespan" : "long" },
    value,
  );
}

const joined = (context: Context, at: number, op: string, left: Value, right: Value): Value =>
  arithmetic(op, left, right) ??
  context.fail(
    "semantic",
    `${left.type} ${op} ${right.type} has no meaning: convert with toint(), toreal(), tostring(), …`,
    at,
  );

function membership(context: Context, scope: Scope, { op, left, items, at }: Membership): Value {
  const values = items.flatMap((item) =>
    item.kind === "literal" && item.type === "dynamic" && Array.isArray(item.value)
      ? item.value.map((inner) => literal(context, constant(inner, item.at)))
      : [expression(context, scope, item)],
  );
  const words = { has_any: "has", has_any_cs: "has_cs", has_all: "has", has_all_cs: "has_cs" } as const;
  const word = words[op as keyof typeof words];
  const test = (value: Value) => (item: Value) =>
    word ? compare(word, value, item) : op.endsWith("~") ? compare("=~", value, item) : within(value, item);
  const found = (value: Value): Value => {
    if (value.sql.length * values.length > MAX_SQL) context.fail("semantic", "the expression is too large", at);
    return anyOf(value);
  };
  const anyOf = (value: Value) =>
    loose(
      values.length === 0
        ? "false"
        : values
            .map(test(value))
            .map(strict)
            .join(op.startsWith("has_all") ? " AND " : " OR "),
    );
  const result = left.kind === "star" ? anyField(context, scope, at, found) : found(expression(context, scope, left));
  return op.startsWith("!") ? negate(result) : result;
}

/** An item that is itself a list, known only row by row, holds the value if one of its elements is it. */
function within(value: Value, item: Value): Value {
  const same = equal(value, item);
  if (item.type !== "dynamic") return same;
  const list = `apl_list(${item.sql})`;
  return loose(
    `${strict(same)} OR list_contains(list_transform(${list}, lambda e: apl_text(e)), ${cast(value, "string")})`,
  );
}

function constant(value: unknown, at: number) {
  const type =
    typeof value === "string" ? "string" : typeof value === "boolean" ? "bool" : value === null ? "null" : "dynamic";
  if (typeof value !== "number") return { kind: "literal", type, value, at } as const;
  return { kind: "literal", type: Number.isInteger(value) ? "long" : "real", value: String(value), at } as const;
}

function anyField(context: Context, scope: Scope, at: number, test: (field: Value) => Value): Value {
  if (!scope.relation) return context.fail("semantic", "* has no fields to stand for here", at);
  const fields = scope.relation.columns.filter(({ name }) => name !== "_sysTime");
  return loose(
    fields.length === 0
      ? "false"
      : fields.map((field) => strict(test({ sql: field.sql, type: field.type }))).join(" OR "),
  );
}

/** A word of `search`: where its wildcards are decides the operator. */
function term(context: Context, scope: Scope, field: string | null, text: string, at: number): Value {
  const body = text.replaceAll(/^\*|\*$/g, "");
  const [start, end] = [text.startsWith("*"), text.endsWith("*") && text.length > 1];
  const op = start && end ? "contains" : start ? "hassuffix" : end ? "hasprefix" : "has";
  const test = (value: Value): Value => {
    if (body === "") return loose("true");
    if (!body.includes("*")) return compare(op, value, { type: "string", sql: quote(body) });
    const pattern = `(?i)\\b${body.split("*").map(escapeRegex).join(".*")}\\b`;
    return compare("matches regex", value, { type: "string", sql: quote(pattern) });
  };
  return field === null
    ? anyField(context, scope, at, test)
    : test(named(context, scope, { kind: "name", name: field, at }));
}
