import { findMissingField } from "../gate";
import { type AplRequest, type EventDatasets, isApiError, type QueryResult, type Row, rows, warningsOf } from "../sdk";
import { parseDuration, shift } from "../values/duration";
import { canonicalInstant } from "../values/instant";
import type { Command, Io, Values } from "./command";
import { connect } from "./connection";
import { withProgress } from "./progress";
import { namesOf, table } from "./table";
import { jsonText, makeVisible, say } from "./text";
import { layoutOf } from "./width";

/** Runs one query. */
export const query: Command<"query"> = {
  async run(values, io, apl) {
    if (!apl) throw new Error('a query is missing: see "pulumi-event-datasets query --help"');
    const question: AplRequest = { apl, ...periodOf(values, new Date()) };
    if (question.startTime === undefined && !/\b_time\b/.test(apl))
      io.warn(say`without --start the query covers all events (on Axiom, those of about ten years)`);
    await using client = connect(io, { watch: undefined });
    const answers = values.all ? client.queries.pages(question) : answerTo(client, question);
    await printAnswers(answers, values, client.baseUrl, io);
    return 0;
  },
};

/** @throws Error that names the invalid option */
function periodOf(values: Values<"query">, now: Date): { startTime?: string; endTime?: string } {
  const [start, end] = (["start", "end"] as const).map((option) => {
    const text = values[option];
    return text === undefined ? undefined : timeOf(text, `--${option}`, now);
  });
  if (start !== undefined && end !== undefined && Date.parse(start) >= Date.parse(end))
    throw new Error("--start: must be before --end");
  return { ...(start === undefined ? {} : { startTime: start }), ...(end === undefined ? {} : { endTime: end }) };
}

async function* answerTo(client: EventDatasets, question: AplRequest): AsyncGenerator<QueryResult> {
  yield await client.queries.apl(question);
}

/**
 * Prints the responses once all have arrived: the columns of a table depend on every row.
 * @param all whether there can be several responses
 */
async function printAnswers(
  answers: AsyncGenerator<QueryResult>,
  { output, all: isList }: Values<"query">,
  baseUrl: string,
  io: Io,
): Promise<void> {
  const kept: QueryResult[] = [];
  for (let page = 1; io.canPrint(); page++) {
    const label = say`querying ${baseUrl}${page === 1 ? "" : `, page ${page}`}`;
    const { value: answer } = await withProgress(label, io.progress, answers.next()).catch(adviseOnField);
    if (!answer) break;
    const missing = findMissingField(answer);
    if (missing !== undefined) throw new Error(`${missing}; ${fieldAdvice}`);
    kept.push(answer);
  }
  // A page that another one follows is cut at its limit, which is no loss. A list ends early if its order has no cursor.
  const warnings = kept.flatMap((answer, at) => warningsOf(at < kept.length - 1 ? withoutLimits(answer) : answer));
  for (const warning of new Set(warnings)) io.warn(makeVisible(warning));
  if (output === "json") return io.print(jsonText(isList ? kept : kept[0], 2));
  const all = kept.flatMap((answer): Row[] => rows(answer));
  const whole = namesOf(all).filter((name) => /^_(?:sys)?time$|(?:^|[._-])id$/i.test(name));
  for (const line of table(all, { ...layoutOf(io), whole })) io.print(line);
}

const fieldAdvice = 'for a field that may not be in any event yet, write column_ifexists("name", "")';

function adviseOnField(failure: unknown): never {
  if (!isApiError(failure) || failure.invalidField === undefined) throw failure;
  throw new Error(`${failure.message}; ${fieldAdvice}`, { cause: failure });
}

const withoutLimits = ({ status }: QueryResult) => ({
  status: { ...status, messages: status.messages.filter(({ code = "" }) => !/limit/i.test(code)) },
});

/**
 * Converts a time to the RFC 3339 timestamp that is sent. Relative times are computed here, because the documented
 * interface shows no format for them.
 * @param source the option or field that the time is from, for the message
 * @throws Error that says what is allowed
 */
export function timeOf(text: string, source: string, now: Date): string {
  const [, sign, length] = /^now(?:([+-])(.+))?$/.exec(text) ?? [];
  if (text === "now") return now.toISOString();
  const duration = length === undefined ? undefined : parseDuration(length);
  if (duration) return shift(now, duration, sign === "-" ? -1 : 1).toISOString();
  const instant = canonicalInstant(text);
  if (instant !== undefined) return instant;
  throw new Error(
    `${source}: must be an RFC 3339 timestamp such as 2026-11-21T12:00:00Z, or now, now-15m, now-1h, now-7d`,
  );
}
