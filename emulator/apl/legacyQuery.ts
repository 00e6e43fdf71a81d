import type { Literal, NamedExpression, Operator, Query, SortKey } from "./ast";
import { QueryError } from "./errors";
import { legacyAggregation } from "./legacyAggregations";
import { filterExpression } from "./legacyFilter";
import { as, call, literalOf, name, nowhere } from "./nodes";
import { parse } from "./parse";
import { defaultLimit, maxLimit } from "./plan/query";
import type { LegacyRequest, VirtualField } from "./request";
import { parseSpan } from "./time";

/** Translates a structured request to the query language, so that one engine runs both. */
export function legacyQuery(dataset: string, request: LegacyRequest, autoMicros: bigint): Query {
  const operators: Operator[] = [];
  const { virtualFields = [], filter, aggregations = [], groupBy = [], project = [], order = [] } = request;
  for (const field of virtualFields) operators.push({ kind: "extend", columns: [virtualField(field)], at: nowhere });
  if (filter && Object.keys(filter).length > 0)
    operators.push({ kind: "where", predicate: filterExpression(filter), at: nowhere });
  const isSummary = aggregations.length > 0 || groupBy.length > 0;
  if (isSummary) {
    const micros = resolutionMicros(request.resolution, autoMicros);
    const span: Literal = { kind: "literal", type: "timespan", value: `${micros * 1000n}ns`, at: nowhere };
    const keys = [as("_time", call("bin", name("_time"), span)), ...groupBy.map((field) => as(field, name(field)))];
    operators.push({ kind: "summarize", aggregates: aggregations.map(legacyAggregation), keys, at: nowhere });
  } else if (project.length > 0) {
    const isShown = (name: string) => project.some(({ field, alias }) => (alias || field) === name);
    if (!order.every(({ field }) => isShown(field))) operators.push(...sortOperators(order));
    operators.push({
      kind: "project",
      columns: project.map(({ field, alias }) => as(alias || field, name(field))),
      at: nowhere,
    });
  }
  const sorted = operators.some(({ kind }) => kind === "order");
  if (order.length > 0 && !sorted) operators.push(...sortOperators(order));
  const limit = limitOf(request.limit, isSummary);
  if (limit !== undefined) operators.push({ kind: "take", limit: literalOf(limit), at: nowhere });
  return { statements: [], body: { source: { kind: "dataset", name: dataset, quoted: true, at: nowhere }, operators } };
}

const sortOperators = (order: NonNullable<LegacyRequest["order"]>): Operator[] => [
  {
    kind: "order",
    keys: order.map(({ field, desc = false }): SortKey => ({ value: name(field), desc, nulls: null, at: nowhere })),
    at: nowhere,
  },
];

function limitOf(limit: number | undefined, isSummary: boolean): number | undefined {
  if (limit === undefined || limit === 0) return isSummary ? undefined : defaultLimit;
  if (Number.isInteger(limit) && limit > 0 && limit <= maxLimit) return limit;
  throw new QueryError("semantic", `limit is ${limit}: expected a whole number from 0 to ${maxLimit}`);
}

/** `auto`, a span such as `30s`, or a number of seconds. */
function resolutionMicros(resolution: string | undefined, auto: bigint): bigint {
  if (resolution === undefined || resolution === "" || resolution === "auto") return auto;
  const nanos = parseSpan(/^\d+(\.\d+)?$/.test(resolution) ? `${resolution}s` : resolution);
  if (nanos !== undefined && nanos >= 1000n) return nanos / 1000n;
  throw new QueryError(
    "semantic",
    `resolution is ${JSON.stringify(resolution)}: expected "auto" or a span such as "30s"`,
  );
}

/** A field computed by an expression of the query language. */
function virtualField({ alias, expr }: VirtualField): NamedExpression {
  const { source } = parse(`print ${expr}`).body;
  const [column] = source.kind === "print" ? source.columns : [];
  if (!column) throw new QueryError("syntax", `the virtual field ${JSON.stringify(alias)} is not one expression`);
  return as(alias, column.value);
}
