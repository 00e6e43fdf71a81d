import type { AplRequest } from "../request";
import type { AplResult, FieldMeta, LegacyResult } from "../result";
import type { Outcome } from "../run";
import { buckets } from "./buckets";
import { echo } from "./echo";
import { matches } from "./matches";
import { status } from "./status";
import { table } from "./tabular";

interface Facts {
  readonly datasetNames: readonly string[];
  readonly fieldsMetaMap: Readonly<Record<string, readonly FieldMeta[]>>;
  readonly now: bigint;
}

export function shapeLegacyResult(outcome: Outcome, fieldsMeta: readonly FieldMeta[], now: bigint): LegacyResult {
  return { ...shapeContent(outcome, now), status: status(outcome, true), fieldsMeta };
}

export function shapeAplResult(
  outcome: Outcome,
  request: AplRequest,
  format: "legacy" | "tabular",
  { now, ...facts }: Facts,
): AplResult {
  const common = { ...facts, request: echo(request, outcome), status: status(outcome, false) };
  if (format === "legacy") return { format, ...shapeContent(outcome, now), ...common };
  const { plan, rows, totals, window } = outcome;
  const tables = [table("0", plan.rows, rows.values, facts.datasetNames, window)];
  if (plan.totals && totals) tables.push(table("_totals", plan.totals, totals.values, facts.datasetNames, window));
  return { format, tables, ...common };
}

/** A summary becomes buckets; events and other rows become matches. */
function shapeContent({ plan, rows, totals }: Outcome, now: bigint): Pick<LegacyResult, "buckets" | "matches"> {
  const { relation } = plan.rows;
  if (!relation.summary) return { buckets: { series: [], totals: [] }, matches: matches(relation, rows.values, now) };
  const summary = { relation, values: rows.values };
  const whole = plan.totals && totals ? { relation: plan.totals.relation, values: totals.values } : undefined;
  return { buckets: buckets(summary, whole), matches: [] };
}
