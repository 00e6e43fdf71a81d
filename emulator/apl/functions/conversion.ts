import { quote } from "../sql";
import { cast, strictCondition, unify, type Value } from "../types";
import { type FunctionSpec, type Functions, fn } from "./define";

export const commonType = (values: readonly Value[]) =>
  values.map(({ type }) => type).reduce((a, b) => unify(a, b), "null");

/** The value if no condition is true; null if the call has no such argument. */
const defaultOf = (values: readonly Value[]): Value =>
  (values.length % 2 === 1 ? values.at(-1) : undefined) ?? { sql: "NULL", type: "null" };

/** The branches of `case(p1, v1, p2, v2, otherwise)` or `iff(p, v, otherwise)`. */
const results = (values: readonly Value[]) => values.filter((_, i) => i % 2 === 1 || i === values.length - 1);

const branches: FunctionSpec = fn(
  "any, any, ...any?",
  (values) => commonType(results(values)),
  (_, { values, context, at }) => {
    if (values.length === 1) context.fail("semantic", "expected a value after the condition", at);
    const type = commonType(results(values));
    const pairs = values.flatMap((value, i) => {
      const result = values[i + 1];
      return i % 2 === 0 && result ? [`WHEN ${cast(value, "bool")} THEN ${cast(result, type)}`] : [];
    });
    return `CASE ${pairs.join(" ")} ELSE ${cast(defaultOf(values), type)} END`;
  },
);

const iff: FunctionSpec = { ...branches, params: branches.params.slice(0, 3), required: 3, rest: false };

const json =
  (test: string) =>
  (_: readonly string[], { values: [value] }: { values: readonly Value[] }) =>
    value?.type === "dynamic" ? `coalesce(json_type(${value.sql}) ${test}, false)` : "false";

const isOf = (type: Value["type"], test: string): FunctionSpec =>
  fn("any", "bool", (args, site) =>
    site.values[0]?.type === type ? `(${site.values[0].sql} IS NOT NULL)` : json(test)(args, site),
  );

const castTo = (type: Value["type"]): FunctionSpec => fn(type, type, ([value]) => `${value}`);

export const conversionFunctions: Functions = {
  tostring: fn("string", "string", ([s]) => `coalesce(${s}, '')`),
  toint: castTo("long"),
  tolong: castTo("long"),
  toreal: castTo("real"),
  todouble: castTo("real"),
  tobool: fn("bool", "bool", ([b]) => `coalesce(${b}, false)`),
  todatetime: castTo("datetime"),
  totimespan: castTo("timespan"),
  todynamic: fn("any", "dynamic", (_, { values: [value] }) => {
    if (value?.type === "string") return `apl_json(TRY_CAST(${value.sql} AS JSON))`;
    return value ? cast(value, "dynamic") : "NULL";
  }),
  tohex: fn(
    "long, long?",
    "string",
    ([n, width = "0"]) => `lpad(lower(to_hex(${n})), CAST(greatest(${width}, length(to_hex(${n}))) AS INTEGER), '0')`,
  ),
  iff,
  iif: iff,
  case: branches,
  not: fn("bool", "bool", ([b]) => `(NOT coalesce(${b}, false))`),
  isnull: fn("any", "bool", (_, { values: [v] }) => `(${v ? strictCondition(v) : "NULL"} IS NULL)`),
  isnotnull: fn("any", "bool", (_, { values: [v] }) => `(${v ? strictCondition(v) : "NULL"} IS NOT NULL)`),
  // Of texts the first that is not empty.
  coalesce: fn("...any", commonType, (_, { values }) => {
    const type = commonType(values);
    const all = values.map((value) => (type === "string" ? `nullif(${cast(value, type)}, '')` : cast(value, type)));
    return type === "string"
      ? `coalesce(${[...all, ...values.map((v) => cast(v, type))].join(", ")})`
      : `coalesce(${all.join(", ")})`;
  }),
  gettype: fn("any", "string", (_, { values: [value] }) => {
    if (!value || value.type === "null") return "'null'";
    if (value.type !== "dynamic")
      return `CASE WHEN ${strictCondition(value)} IS NULL THEN 'null' ELSE ${quote(value.type)} END`;
    return `CASE json_type(${value.sql}) WHEN 'ARRAY' THEN 'array' WHEN 'OBJECT' THEN 'dictionary' WHEN 'VARCHAR' THEN 'string'
      WHEN 'BOOLEAN' THEN 'bool' WHEN 'DOUBLE' THEN 'real' WHEN 'BIGINT' THEN 'long' WHEN 'UBIGINT' THEN 'long' ELSE 'null' END`;
  }),
  isbool: isOf("bool", "= 'BOOLEAN'"),
  isstring: isOf("string", "= 'VARCHAR'"),
  isreal: isOf("real", "= 'DOUBLE'"),
  isarray: fn("any", "bool", json("= 'ARRAY'")),
  ismap: fn("any", "bool", json("= 'OBJECT'")),
};
