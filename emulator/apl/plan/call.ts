import type { Call } from "../ast";
import { scalarFunctions } from "../functions";
import type { FunctionSpec } from "../functions/define";
import { cast, strictCondition, type Value } from "../types";
import { isAggregate } from "./aggregate";
import type { Context } from "./context";
import { findType } from "./literal";
import { ownName } from "./naming";
import { findColumn, type PlanInner, type Scope } from "./scope";

/** SQL of a call of a scalar function. */
export function planCall(context: Context, scope: Scope, node: Call, plan: PlanInner): Value {
  const { name, at } = node;
  const special = specialForms.get(name);
  if (special) return special(context, scope, node, plan);
  const spec = scalarFunctions.get(name);
  if (!spec && isAggregate(name))
    return context.fail("semantic", `${name}() is an aggregation: it belongs in summarize`, at);
  if (!spec) return context.fail("unsupported", `the function "${name}()" is not supported by the emulator`, at);
  checkCount(context, node, spec);
  const values = node.args.map(({ value }) => plan(scope, value));
  const args = values.map((value, i) => {
    const param = spec.params[Math.min(i, spec.params.length - 1)];
    return param === undefined || param === "any" ? strictCondition(value) : cast(value, param);
  });
  const type = typeof spec.type === "function" ? spec.type(values) : spec.type;
  return { type, sql: spec.sql(args, { context, at, values, expressions: node.args.map(({ value }) => value) }) };
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

type SpecialForm = (context: Context, scope: Scope, node: Call, plan: PlanInner) => Value;

/** Calls with arguments that are not values. */
export const specialForms: ReadonlyMap<string, SpecialForm> = new Map<string, SpecialForm>([
  ["ensure_field", planEnsureField],
  ["column_ifexists", planColumnIfExists],
  ["ingestion_time", planIngestionTime],
]);

/** The field of a name, or another value if no event has it. */
function planColumnIfExists(context: Context, scope: Scope, { args, at }: Call, plan: PlanInner): Value {
  const [field, fallback] = args.map(({ value }) => value);
  const name = field?.kind === "literal" && field.type === "string" ? String(field.value) : field && ownName(field);
  if (name === undefined || !fallback || args.length !== 2)
    return context.fail("semantic", "expected column_ifexists(name, value)", at);
  const column = findColumn(scope, name);
  return column ? { sql: column.sql, type: column.type } : plan(scope, fallback);
}

function planIngestionTime(_: Context, scope: Scope): Value {
  const column = findColumn(scope, "_sysTime");
  return column ? { sql: column.sql, type: column.type } : { type: "datetime", sql: "CAST(NULL AS TIMESTAMP)" };
}

/** The field, or a null of the type if no event has it; unlike a bare name it leaves no message behind. */
function planEnsureField(context: Context, scope: Scope, { args, at }: Call): Value {
  const [field, type] = args.map(({ value }) => value);
  const name =
    field?.kind === "literal" && field.type === "string"
      ? String(field.value)
      : field?.kind === "name"
        ? field.name
        : undefined;
  const typed = type?.kind === "call" && type.name === "typeof" ? type.args[0]?.value : type;
  const typeName = typed?.kind === "name" ? typed.name : typed?.kind === "literal" ? String(typed.value) : undefined;
  if (name === undefined || typeName === undefined)
    return context.fail("semantic", "expected ensure_field(name, typeof(type))", at);
  const column = findColumn(scope, name);
  const target = findType(context, typeName, at);
  return {
    type: target,
    sql: cast(column ? { sql: column.sql, type: column.type } : { sql: "NULL", type: "null" }, target),
  };
}
