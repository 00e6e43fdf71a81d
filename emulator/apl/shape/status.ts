import { defined } from "../defined";
import { maxLimit } from "../plan/query";
import { isByTime, isOldestFirst } from "../plan/relation";
import type { Outcome } from "../run";
import { formatInstant } from "../time";
import { rowId } from "./cursor";
import { position } from "./matches";

/** The time that means "no event". */
const never = "0001-01-01T00:00:00Z";

/** The status of a result. Counts are exact; `isPartial` is true if the result may be incomplete. */
export function status(outcome: Outcome, token: boolean) {
  const { examined, matched, elapsed, plan, rows, totals } = outcome;
  const { relation } = plan.rows;
  const messages = messagesOf(outcome);
  const shown = rows.values;
  const [first, last] = isByTime(relation) ? [shown[0], shown.at(-1)].map((row) => position(relation, row)) : [];
  const more = token && last !== undefined && matched > shown.length;
  const [earliest, latest] = isOldestFirst(relation) ? [first, last] : [last, first];
  return {
    blocksExamined: examined.blocks,
    cacheStatus: 0,
    ...defined({
      continuationToken: more ? rowId(last) : undefined,
      minCursor: earliest && rowId(earliest),
      maxCursor: latest && rowId(latest),
    }),
    elapsedTime: elapsed,
    isEstimate: false,
    isPartial: rows.cut && (relation.limited || relation.summary),
    minBlockTime: examined.first === undefined ? never : formatInstant(examined.first),
    maxBlockTime: examined.last === undefined ? never : formatInstant(examined.last),
    numGroups: relation.summary ? (totals ?? rows).values.length : 0,
    rowsExamined: examined.rows,
    rowsMatched: matched,
    messages,
  };
}

function messagesOf({ context, rows, totals, plan }: Outcome) {
  const missing = [...context.missing].map(([name, count]) => ({
    code: "missing_column",
    count,
    msg: `no event has the field "${name}"; its value is null`,
    priority: "warn",
  }));
  const { limited, summary } = plan.rows.relation;
  const cut = rows.cut || totals?.cut === true;
  const limit = limited || summary ? maxLimit : rows.values.length;
  const message = {
    code: "default_limit_warning",
    count: 1,
    msg: `the result was cut at ${limit} rows`,
    priority: "warn",
  };
  return cut ? [...missing, message] : missing;
}
