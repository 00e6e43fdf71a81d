import { type EventDatasets, type QueryResult, rows, totals, warningsOf } from "../sdk";
import { stringifyExact } from "../sdk/values/exactJson";
import { type Command, type Io, textOf, type Values } from "./command";
import { connect } from "./connection";
import { query as manual } from "./manuals/query";
import { withProgress } from "./query/progress";
import { readRequest } from "./query/requestFile";
import { timeOf } from "./query/times";
import { linesOfRows, type RowFormat, rowFormatOf } from "./rows";
import { visible, visibleJson } from "./text";

/** Runs one query. */
export const query: Command = {
  manual,

  async run(values, io, apl) {
    const output = rowFormatOf(textOf(values, "output"));
    const ask = await questionOf(values, apl);
    const deadlines = { query: secondsOf(textOf(values, "timeout")) * 1000 };
    await using client = connect(io, { deadlines });
    const result = await withProgress(`querying ${client.baseUrl}`, io.progress, ask(client));
    for (const warning of warningsOf(result)) io.warn(visible(warning));
    for (const line of linesOf(result, output, values.totals === true, io)) io.print(line);
    return 0;
  },
};

/** What is asked, checked before anything is sent. */
async function questionOf(
  values: Values,
  apl: string | undefined,
): Promise<(client: EventDatasets) => Promise<QueryResult>> {
  const [file, dataset] = [textOf(values, "request"), textOf(values, "dataset")];
  const now = new Date();
  const period = {
    ...timeOption("startTime", "start", values, now),
    ...timeOption("endTime", "end", values, now),
  };
  if (file === undefined) {
    if (!apl) throw new Error('a query is missing: see "event-datasets query --help"');
    if (dataset !== undefined)
      throw new Error("--dataset: goes with --request; a query in text names its dataset itself");
    return (client) => client.queries.apl({ apl, ...period });
  }
  if (apl !== undefined) throw new Error("--request: takes the place of a query in text; give one of them");
  if (dataset === undefined) throw new Error("--request: needs --dataset");
  const request = { ...(await readRequest(file, now)), ...period };
  return (client) => client.queries.dataset(dataset, request);
}

function timeOption(field: "startTime" | "endTime", option: string, values: Values, now: Date) {
  const text = textOf(values, option);
  return text === undefined ? {} : { [field]: timeOf(text, `--${option}`, now) };
}

function* linesOf(result: QueryResult, format: RowFormat, totalsOnly: boolean, io: Io): Generator<string> {
  const shown = totalsOnly ? totals(result) : rows(result);
  if (format === "json" && !totalsOnly) return yield visibleJson(stringifyExact(result, 2));
  yield* linesOfRows(shown, format, io);
}

function secondsOf(text = ""): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) === 0) throw new Error("--timeout: must be a whole number of seconds");
  return Number(text);
}
