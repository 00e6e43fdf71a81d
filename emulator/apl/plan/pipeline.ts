import type { Dataset, Operator, Pipeline, Search, Summarize, Take, Top, Union } from "../ast";
import type { Context } from "./context";
import {
  count,
  countRows,
  extend,
  getschema,
  mvExpand,
  order,
  project,
  projectAway,
  projectKeep,
  projectRename,
  where,
} from "./operators";
import { parseOperator } from "./parseOperator";
import type { Relation } from "./relation";
import { distinct, limited, summary, summaryRelation } from "./summarize";
import { dataset, named, type Part, print, sourceName, union } from "./union";

/** The rows of a whole pipeline. */
export function pipeline(context: Context, { source, operators }: Pipeline): Relation {
  return operators.reduce((input, node) => apply(context, input, node), from(context, { source, operators: [] }));
}

/** The rows that a pipeline starts with. */
export function from(context: Context, { source }: Pipeline): Relation {
  switch (source.kind) {
    case "dataset":
      return datasets(context, source);
    case "print":
      return print(context, source);
    case "pipeline":
      return pipeline(context, source.body);
    case "union":
      return unionOf(context, undefined, source);
    case "search":
      return search(context, undefined, source);
  }
}

function datasets(context: Context, node: Dataset): Relation {
  const bound = node.quoted ? undefined : context.tables.get(node.name);
  if (bound) return context.nested(node.at, () => pipeline(context, bound));
  const infos = named(context, node);
  const parts = infos.map((info): Part => ({ relation: dataset(context, info), source: info.name }));
  return parts.length === 1 && parts[0] ? parts[0].relation : union(context, parts, [], node.at);
}

/** One operator after a pipeline. */
export function apply(context: Context, input: Relation, node: Operator): Relation {
  switch (node.kind) {
    case "where":
      return where(context, input, node.predicate);
    case "extend":
      return extend(context, input, node);
    case "project":
      return project(context, input, node);
    case "project-away":
      return projectAway(context, input, node);
    case "project-keep":
      return projectKeep(context, input, node);
    case "project-rename":
      return projectRename(context, input, node);
    case "summarize":
      return summarized(context, input, node);
    case "count":
      return countRows(context, input);
    case "distinct":
      return distinct(context, input, node);
    case "order":
      return order(context, input, node.keys);
    case "top":
    case "take":
      return cut(context, input, node);
    case "mv-expand":
      return mvExpand(context, input, node);
    case "union":
      return unionOf(context, input, node);
    case "parse":
      return parseOperator(context, input, node);
    case "search":
      return search(context, input, node);
    case "getschema":
      return getschema(context, input);
  }
}

function summarized(context: Context, input: Relation, node: Summarize): Relation {
  const { select, columns } = summary(context, input, node, false);
  return summaryRelation(context.step(select), columns);
}

function cut(context: Context, input: Relation, node: Top | Take): Relation {
  const sorted = node.kind === "top" ? order(context, input, node.keys) : input;
  return limited(context, sorted, count(context, node.limit));
}

function unionOf(context: Context, input: Relation | undefined, node: Union): Relation {
  const given: Part[] = input ? [{ relation: input, source: [...context.datasets][0] ?? "" }] : [];
  const parts = node.sources.flatMap((part): Part[] => {
    const { source } = part;
    if (source.kind !== "dataset" || part.operators.length > 0 || context.tables.has(source.name)) {
      return [{ relation: pipeline(context, part), source: sourceName(part) }];
    }
    return named(context, source).map((info) => ({ relation: dataset(context, info), source: info.name }));
  });
  return union(context, [...given, ...parts], node.options, node.at);
}

function search(context: Context, input: Relation | undefined, node: Search): Relation {
  if (node.caseSensitive)
    context.fail("unsupported", "search kind=case_sensitive is not supported by the emulator", node.at);
  if (input && node.sources.length > 0)
    context.fail("semantic", "search in (…) starts a query: it follows no |", node.at);
  const all: Dataset = { kind: "dataset", name: "*", quoted: false, at: node.at };
  const sources = node.sources.length > 0 ? node.sources : [{ source: all, operators: [] }];
  const rows = input ?? unionOf(context, undefined, { kind: "union", options: [], sources, at: node.at });
  return where(context, rows, node.predicate);
}
