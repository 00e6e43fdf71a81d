import type { Operator, OperatorOf, Pipeline, Source, SourceOf, Summarize } from "../ast";
import type { Context } from "./context";
import { joinRows } from "./join";
import { makeSeries } from "./makeSeries";
import { mvExpand } from "./mvExpand";
import { constantCount, countRows, filterRows, limitRows, sampleRows, sortRows } from "./operators";
import { parseKeys } from "./parseKeys";
import { parseOperator } from "./parseOperator";
import { extend, extendValid, project, projectAway, projectKeep, projectRename, projectReorder } from "./projections";
import { redactColumns } from "./redact";
import type { Relation } from "./relation";
import { planDistinct, planSummary, summaryRelation } from "./summarize";
import { datatable, getschema, rangeRows } from "./tables";
import { findDatasets, nameSource, type Part, printRow, scanDataset, unionParts } from "./union";

/** The rows of a whole pipeline. */
export function planPipeline(context: Context, { source, operators }: Pipeline): Relation {
  return operators.reduce((input, node) => applyOperator(context, input, node), planSource(context, source));
}

/** The rows that a pipeline starts with. */
function planSource(context: Context, source: Source): Relation {
  switch (source.kind) {
    case "dataset":
      return planDataset(context, source);
    case "print":
      return printRow(context, source);
    case "datatable":
      return datatable(context, source);
    case "range":
      return rangeRows(context, source);
    case "unsupported":
      return refuse(context, source);
    case "pipeline":
      return planPipeline(context, source.body);
    case "union":
      return planUnion(context, undefined, source);
    case "search":
      return planSearch(context, undefined, source);
  }
}

function planDataset(context: Context, node: SourceOf<"dataset">): Relation {
  const bound = node.quoted ? undefined : context.tables.get(node.name);
  if (bound) return context.enter(node.at, () => planPipeline(context, bound));
  const infos = findDatasets(context, node);
  const parts = infos.map((info): Part => ({ relation: scanDataset(context, info), source: info.name }));
  return parts.length === 1 && parts[0] ? parts[0].relation : unionParts(context, parts, {}, node.at);
}

type Apply<K extends Operator["kind"]> = (context: Context, input: Relation, node: OperatorOf<K>) => Relation;

const join = (context: Context, input: Relation, node: OperatorOf<"join" | "lookup">): Relation =>
  joinRows(context, input, planPipeline(context, node.right), node);

/** How each operator changes the rows of a pipeline. */
const operatorPlans: { readonly [K in Operator["kind"]]: Apply<K> } = {
  where: (context, input, { predicate }) => filterRows(context, input, predicate),
  extend: (context, input, { columns }) => extend(context, input, columns),
  "extend-valid": (context, input, { columns }) => extendValid(context, input, columns),
  project: (context, input, { columns }) => project(context, input, columns),
  "project-away": (_, input, { columns }) => projectAway(input, columns),
  "project-keep": (context, input, { columns }) => projectKeep(context, input, columns),
  "project-rename": projectRename,
  "project-reorder": (_, input, node) => projectReorder(input, node),
  summarize,
  count: countRows,
  distinct: planDistinct,
  order: (context, input, { keys }) => sortRows(context, input, keys),
  top: (context, input, { keys, limit }) =>
    limitRows(context, sortRows(context, input, keys), constantCount(context, limit)),
  take: (context, input, { limit }) => limitRows(context, input, constantCount(context, limit)),
  join,
  lookup: join,
  "make-series": makeSeries,
  "mv-expand": mvExpand,
  sample: sampleRows,
  parse: parseOperator,
  "parse-kv": parseKeys,
  redact: redactColumns,
  union: planUnion,
  search: planSearch,
  getschema,
  unsupported: (context, _, node) => refuse(context, node),
};

/** Applies an operator to the rows of a pipeline. */
export const applyOperator = <K extends Operator["kind"]>(
  context: Context,
  input: Relation,
  node: OperatorOf<K>,
): Relation => operatorPlans[node.kind as K](context, input, node);

/** Fails because of an unsupported operator or source. */
export const refuse = (context: Context, { name, at }: Pick<OperatorOf<"unsupported">, "name" | "at">): never =>
  context.fail("unsupported", `the operator "${name}" is not supported by the emulator`, at);

function summarize(context: Context, input: Relation, node: Summarize): Relation {
  const { select, columns } = planSummary(context, input, node, false);
  return summaryRelation(context.addStep(select), columns);
}

function planUnion(context: Context, input: Relation | undefined, node: OperatorOf<"union">): Relation {
  const given: Part[] = input ? [{ relation: input, source: context.environment.reader.found[0]?.name ?? "" }] : [];
  const parts = node.sources.flatMap((part): Part[] => {
    const { source } = part;
    if (source.kind !== "dataset" || part.operators.length > 0 || context.tables.has(source.name)) {
      return [{ relation: planPipeline(context, part), source: nameSource(part) }];
    }
    return findDatasets(context, source).map((info) => ({ relation: scanDataset(context, info), source: info.name }));
  });
  return unionParts(context, [...given, ...parts], node.options, node.at);
}

function planSearch(context: Context, input: Relation | undefined, node: OperatorOf<"search">): Relation {
  if (input && node.sources.length > 0)
    context.fail("semantic", "search in (…) must be at the start of a query, not after |", node.at);
  const all: SourceOf<"dataset"> = { kind: "dataset", name: "*", quoted: false, at: node.at };
  const sources = node.sources.length > 0 ? node.sources : [{ source: all, operators: [] }];
  const rows = input ?? planUnion(context, undefined, { kind: "union", options: {}, sources, at: node.at });
  return filterRows(context, rows, node.predicate, node.caseSensitive);
}
