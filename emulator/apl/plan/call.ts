import type { Call, Expression } from "../ast";
import { scalarFunctions } from "../functions";
import type { FunctionSpec } from "../functions/define";
import { ownName } from "../nodes";
import { cast, nullValue, strictCondition, unify, type Value } from "../types";
import { isAggregate } from "./aggregate";
import type { Context } from "./context";
import { findType } from "./literal";
import { fullOrder, orderBy } from "./relation";
import { expandStar, findColumn, type PlanInner, requireAggregation, type Scope } from "./scope";

/** SQL that calls a scalar function. */
export function planCall(context: Context, scope: Scope, node: Call, plan: PlanInner): Value {
  const { name, at } = node;
  const special = specialForms.get(name);
  if (special) return special(context, scope, node, plan);
  const spec = scalarFunctions.get(name);
  if (!spec && isAggregate(name))
    return context.fail("semantic", `${name}() is an aggregation: it belongs in summarize`, at);
  const hint = /^(take_)?any(if)?$/.test(name) ? ": arg_max(_time, field) takes a field from the latest event" : "";
  if (!spec) return context.fail("unsupported", `the function "${name}()" is not supported by the emulator${hint}`, at);
  checkCount(context, node, spec);
  const expressions = expandStar(scope, node);
  const values = expressions.map((value) => plan(scope, value));
  const args = values.map((value, i) => {
    const param = spec.params[Math.min(i, spec.params.length - 1)];
    return param === undefined || param === "any" ? strictCondition(value) : cast(value, param);
  });
  const type = typeof spec.type === "function" ? spec.type(values) : spec.type;
  return { type, sql: spec.sql(args, { context, at, values, expressions }) };
}

function checkCount(context: Context, { name, args, at }: Call, spec: FunctionSpec) {
  const most = spec.rest ? Number.POSITIVE_INFINITY : spec.params.length;
  if (args.length >= spec.required && args.length <= most) return;
  const expected = spec.rest
    ? `at least ${spec.required}`
    : most === spec.required
      ? `${most}`
      : `${spec.required} to ${most}`;
  context.fail("semantic", `${name}() takes ${expected} arguments, found ${args.length}`, at);
}

/** The name in an argument: a text or a field. */
const nameIn = (node: Expression | undefined): string | undefined =>
  node?.kind === "literal" && node.type === "string" ? String(node.value) : node && ownName(node);

/** The field of a name, or another value; unlike a bare name it leaves no message behind. */
function fieldOr(context: Context, scope: Scope, at: number, name: string, otherwise: () => Value): Value {
  const column = findColumn(scope, name);
  if (column && scope.aggregates) requireAggregation(context, name, at);
  return column ? { sql: column.sql, type: column.type } : otherwise();
}

function planColumnIfExists(context: Context, scope: Scope, { args, at }: Call, plan: PlanInner): Value {
  const [field, fallback] = args.map(({ value }) => value);
  const name = nameIn(field);
  if (name === undefined || !fallback || args.length !== 2)
    return context.fail("semantic", "expected column_ifexists(name, value)", at);
  return fieldOr(context, scope, at, name, () => plan(scope, fallback));
}

/** `prev(x, 1, 0)`: the value in the row before, in the order of the rows; the last argument if there is none. */
function planNeighbour(context: Context, scope: Scope, { name, args, at }: Call, plan: PlanInner): Value {
  if (!scope.relation || !scope.lookAround)
    return context.fail("semantic", `${name}() can be used only in where, extend and project`, at);
  const [x, offset, fallback] = args.map(({ value }) => plan(scope, value));
  const rows = offset ? offset.constant : 1n;
  if (!x || typeof rows !== "bigint" || args.length > 3)
    return context.fail(
      "semantic",
      `${name}() takes a field and, optionally, a constant number of rows and a default value`,
      at,
    );
  const type = unify(x.type, fallback?.type ?? x.type);
  const values = [cast(x, type), rows, ...(fallback ? [cast(fallback, type)] : [])].join(", ");
  const sql = `${name === "prev" ? "lag" : "lead"}(${values}) OVER (${orderBy(fullOrder(scope.relation))})`;
  return { type, sql: scope.lookAround(sql) };
}

const planIngestionTime = (context: Context, scope: Scope, { at }: Call): Value =>
  fieldOr(context, scope, at, "_sysTime", () => ({ type: "datetime", sql: "CAST(NULL AS TIMESTAMP)" }));

/** The field as a type, or a null of the type. */
function planEnsureField(context: Context, scope: Scope, { args, at }: Call): Value {
  const [field, type] = args.map(({ value }) => value);
  const [name, typeName] = [field, type?.kind === "call" ? type.args[0]?.value : type].map(nameIn);
  if (name === undefined || typeName === undefined)
    return context.fail("semantic", "expected ensure_field(name, typeof(type))", at);
  const target = findType(context, typeName, at);
  return {
    type: target,
    sql: cast(
      fieldOr(context, scope, at, name, () => nullValue),
      target,
    ),
  };
}

type SpecialForm = (context: Context, scope: Scope, node: Call, plan: PlanInner) => Value;

/** Functions whose arguments are not all values. */
export const specialForms: ReadonlyMap<string, SpecialForm> = new Map<string, SpecialForm>([
  ["ensure_field", planEnsureField],
  ["column_ifexists", planColumnIfExists],
  ["ingestion_time", planIngestionTime],
  ["prev", planNeighbour],
  ["next", planNeighbour],
]);
