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

/** Applies an operator to the rows of a pipeline. */
export function applyOperator(context: Context, input: Relation, node: Operator): Relation {
  switch (node.kind) {
    case "where":
      return filterRows(context, input, node.predicate);
    case "extend":
      return extend(context, input, node.columns);
    case "project":
      return project(context, input, node.columns);
    case "project-away":
      return projectAway(input, node.columns);
    case "project-keep":
      return projectKeep(context, input, node.columns);
    case "project-rename":
      return projectRename(context, input, node);
    case "summarize":
      return summarize(context, input, node);
    case "count":
      return countRows(context, input);
    case "distinct":
      return planDistinct(context, input, node);
    case "order":
      return sortRows(context, input, node.keys);
    case "top":
      return limitRows(context, sortRows(context, input, node.keys), constantCount(context, node.limit));
    case "take":
      return limitRows(context, input, constantCount(context, node.limit));
    case "join":
    case "lookup":
      return joinRows(context, input, planPipeline(context, node.right), node);
    case "make-series":
      return makeSeries(context, input, node);
    case "project-reorder":
      return projectReorder(input, node);
    case "extend-valid":
      return extendValid(context, input, node.columns);
    case "sample":
      return sampleRows(context, input, node);
    case "parse-kv":
      return parseKeys(context, input, node);
    case "redact":
      return redactColumns(context, input, node);
    case "unsupported":
      return refuse(context, node);
    case "mv-expand":
      return mvExpand(context, input, node);
    case "union":
      return planUnion(context, input, node);
    case "parse":
      return parseOperator(context, input, node);
    case "search":
      return planSearch(context, input, node);
    case "getschema":
      return getschema(context, input);
  }
}

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
    context.fail("semantic", "search in (…) starts a query: it follows no |", node.at);
  const all: SourceOf<"dataset"> = { kind: "dataset", name: "*", quoted: false, at: node.at };
  const sources = node.sources.length > 0 ? node.sources : [{ source: all, operators: [] }];
  const rows = input ?? planUnion(context, undefined, { kind: "union", options: {}, sources, at: node.at });
  return filterRows(context, rows, node.predicate, node.caseSensitive);
}
