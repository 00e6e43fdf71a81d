import type { OperatorOf, Query } from "../ast";
import { defined } from "../defined";
import type { AplRequest } from "../request";
import type { Outcome } from "../run";
import { formatInstant } from "../time";

/**
 * The request as the engine understood it: with absolute times, and with the query as a structured request as far as possible.
 */
export function echo(request: AplRequest, { query, plan, window }: Outcome): Record<string, unknown> {
  const { columns } = plan.rows.relation;
  const bin = columns.find(({ role }) => role?.kind === "bin")?.role;
  const limit = findLast(query, "take") ?? findLast(query, "top");
  const projected = findLast(query, "project")?.columns ?? [];
  return {
    apl: request.apl,
    startTime: window.start === undefined ? "" : formatInstant(window.start),
    endTime: window.end === undefined ? "" : formatInstant(window.end),
    resolution: bin?.kind === "bin" ? `${Number(bin.micros) / 1e6}s` : "",
    aggregations: columns.flatMap(({ name, role }) =>
      role?.kind === "aggregation"
        ? [
            {
              op: role.op,
              field: role.fields[0] ?? "*",
              alias: name,
              argument: role.args.length > 1 ? role.args : (role.args[0] ?? null),
            },
          ]
        : [],
    ),
    groupBy: columns.flatMap(({ name, role }) => (role?.kind === "key" ? [name] : [])),
    order: plan.rows.relation.order.flatMap(({ name, desc }) => (name === undefined ? [] : [{ field: name, desc }])),
    project: projected.map(({ name, source }) => ({ field: source, alias: name ?? "" })),
    virtualFields: query.body.operators.flatMap((operator) =>
      operator.kind === "extend" ? operator.columns.map(({ name, source }) => virtualField(name, source)) : [],
    ),
    ...defined({
      limit: limit?.limit.kind === "literal" ? Number(limit.limit.value) : undefined,
      cursor: request.cursor,
      queryOptions: request.queryOptions,
    }),
    includeCursor: request.includeCursor ?? false,
  };
}

const virtualField = (name: string | null, source: string) => ({
  alias: name ?? source,
  expr: name === null ? source : source.slice(source.indexOf("=") + 1).trim(),
});

const findLast = <K extends "take" | "top" | "project">({ body }: Query, kind: K): OperatorOf<K> | undefined =>
  body.operators.findLast((operator) => operator.kind === kind) as OperatorOf<K> | undefined;
