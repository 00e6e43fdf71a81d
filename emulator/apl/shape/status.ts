import { maxLimit } from "../plan/query";
import type { Message, Status } from "../result";
import { isContinuable, type Outcome } from "../run";
import { formatInstant } from "../time";
import { rowId } from "./cursor";
import { position } from "./matches";

/** The time of no event at all. */
const never = "0001-01-01T00:00:00Z";

/** How the answer came about. Counts are exact; `isPartial` is true if the answer may not hold all it was asked for. */
export function status(outcome: Outcome, token: boolean): Status {
  const { examined, matched, elapsed, plan, rows, totals } = outcome;
  const { relation } = plan.rows;
  const messages = messagesOf(outcome);
  const shown = rows.values;
  const cursors = isContinuable(plan)
    ? [shown[0], shown.at(-1)]
        .flatMap((row) => position(relation, row) ?? [])
        .map(rowId)
        .sort()
    : [];
  const last = position(relation, shown.at(-1));
  const more = token && isContinuable(plan) && last !== undefined && shown.length > 0 && matched > shown.length;
  return {
    blocksExamined: examined.blocks,
    cacheStatus: 0,
    ...(more && { continuationToken: rowId(last) }),
    elapsedTime: elapsed,
    isEstimate: false,
    isPartial: rows.cut && (relation.limited || relation.summary),
    minBlockTime: examined.first === undefined ? never : formatInstant(examined.first),
    maxBlockTime: examined.last === undefined ? never : formatInstant(examined.last),
    ...(cursors[0] !== undefined && { minCursor: cursors[0], maxCursor: cursors.at(-1) ?? cursors[0] }),
    numGroups: relation.summary ? (totals ?? rows).values.length : 0,
    rowsExamined: examined.rows,
    rowsMatched: matched,
    messages,
  };
}

function messagesOf({ context, rows, totals, plan }: Outcome): Message[] {
  const missing = [...context.missing].map(
    ([name, count]): Message => ({
      code: "missing_column",
      count,
      msg: `no event has the field "${name}"; it is null`,
      priority: "warn",
    }),
  );
  const { limited, summary } = plan.rows.relation;
  const cut = rows.cut || totals?.cut === true;
  const limit = limited || summary ? maxLimit : rows.values.length;
  const message: Message = {
    code: "default_limit_warning",
    count: 1,
    msg: `the answer was cut at ${limit} rows`,
    priority: "warn",
  };
  return cut ? [...missing, message] : missing;
}
