import { LOGS, ODD } from "../support";
import { summaries } from "./aggregations";
import { senseless, unparsable, unsupported } from "./errors";
import { listExpressions } from "./lists";
import { listEvents, pipelines, queries } from "./operators";
import { rules, searches, terms, textEvents } from "./rules";
import type { Groups, Values } from "./table";
import { textExpressions } from "./texts";
import { valueExpressions } from "./values";
import { named, parameterized, spanEvents, spans, written } from "./written";

export { named, parameterized, pipelines, summaries };

/** Expressions and their values. */
export const expressions: Groups<unknown> = { ...valueExpressions, ...textExpressions, ...listExpressions };

/** The datasets of the queries. */
export const content = { logs: LOGS, odd: ODD, spans: spanEvents, texts: textEvents, lists: listEvents };

type Answer = readonly [group: string, apl: string, values: Values];

const wholeQueries = <R>(groups: Groups<R>, toQuery: (text: string) => string, toValues: (result: R) => Values) =>
  Object.entries(groups).flatMap(([group, cases]) =>
    cases.map(([text, result]): Answer => [group, toQuery(text), toValues(result)]),
  );

const same = (values: Values) => values;
const ofIds = (dataset: string) => (operator: string) => `${dataset} | ${operator} | project id | order by id asc`;

/** Whole queries with their values, by the rule that they follow. */
export const answers: readonly Answer[] = [
  ...wholeQueries({ "whole queries": queries, "published queries": written }, (apl) => apl, same),
  ...wholeQueries({ summaries }, (summary) => `logs | summarize ${summary}`, same),
  ...wholeQueries(pipelines, (pipeline) => `logs | ${pipeline}`, same),
  ...wholeQueries({ "spans of time": spans }, (pipeline) => `spans | ${pipeline}`, same),
  ...wholeQueries(
    expressions,
    (expression) => `print ${expression}`,
    (value) => [value],
  ),
  ...wholeQueries(
    { "has looks for whole terms": terms },
    (condition) => `print ${condition}`,
    (value) => [value],
  ),
  ...wholeQueries(rules, (condition) => ofIds("odd")(`where ${condition}`), same),
  ...wholeQueries({ "terms in any field": searches }, ofIds("texts"), same),
];

/** Every query of the suites, whole. */
export const corpus: readonly string[] = [
  ...answers.map(([, apl]) => apl),
  ...[...unparsable, ...unsupported, ...senseless, ...parameterized, ...named].map(([apl]) => apl),
];
