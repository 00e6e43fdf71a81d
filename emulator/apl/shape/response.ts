import type { AplRequest } from "../request";
import type { Outcome } from "../run";
import { buckets } from "./buckets";
import { echo } from "./echo";
import { matches } from "./matches";
import { status } from "./status";
import { table } from "./tabular";
import type { FieldMeta } from "./values";

interface Facts {
  readonly datasetNames: readonly string[];
  readonly fieldsMetaMap: Readonly<Record<string, readonly FieldMeta[]>>;
  readonly now: bigint;
}

export type LegacyResult = ReturnType<typeof shapeLegacyResult>;

export function shapeLegacyResult(outcome: Outcome, fieldsMeta: readonly FieldMeta[], now: bigint) {
  return { ...shapeContent(outcome, now), status: status(outcome, true), fieldsMeta };
}

interface Contents {
  readonly legacy: ReturnType<typeof shapeContent>;
  readonly tabular: { readonly tables: readonly ReturnType<typeof table>[] };
}

const shapeFacts = (outcome: Outcome, request: AplRequest, { datasetNames, fieldsMetaMap }: Facts) => ({
  datasetNames,
  fieldsMetaMap,
  request: echo(request, outcome),
  status: status(outcome, false),
});

export type AplResult<F extends keyof Contents> = { readonly format: F } & Contents[F] & ReturnType<typeof shapeFacts>;

export function shapeAplResult<F extends keyof Contents>(
  outcome: Outcome,
  request: AplRequest,
  format: F,
  facts: Facts,
): AplResult<F> {
  const { plan, rows, totals, window } = outcome;
  const shapes = {
    legacy: () => shapeContent(outcome, facts.now),
    tabular: () => {
      const tables = [table("0", plan.rows, rows.values, facts.datasetNames, window)];
      if (plan.totals && totals) tables.push(table("_totals", plan.totals, totals.values, facts.datasetNames, window));
      return { tables };
    },
  } satisfies { [K in keyof Contents]: () => Contents[K] };
  const content = shapes[format]() as Contents[F];
  return { format, ...content, ...shapeFacts(outcome, request, facts) };
}

/** A summary becomes buckets; events and other rows become matches. */
function shapeContent({ plan, rows, totals }: Outcome, now: bigint) {
  const { relation } = plan.rows;
  if (!relation.summary) return { buckets: { series: [], totals: [] }, matches: matches(relation, rows.values, now) };
  const summary = { relation, values: rows.values };
  const whole = plan.totals && totals ? { relation: plan.totals.relation, values: totals.values } : undefined;
  return { buckets: buckets(summary, whole), matches: [] };
}
