import { type EventDatasets, type PagedQuery, type QueryResult, type Row, rows, totals, warningsOf } from "../sdk";
import { longestDeadline } from "../sdk/operations";
import { type Command, type Io, textOf, type Values } from "./command";
import { connect } from "./connection";
import { withProgress } from "./progress";
import { readRequest } from "./query/requestFile";
import { timeOf } from "./query/times";
import { linesOfRows, type RowFormat, rowFormatOf } from "./rows";
import { jsonText, makeVisible, say } from "./text";

/** Runs one query. */
export const query: Command = {
  async run(values, io, apl) {
    const output = rowFormatOf(textOf(values, "output"));
    const question = await questionOf(values, apl);
    const deadlines = { query: deadlineOf(textOf(values, "timeout")) };
    await using client = connect(io, { deadlines, watch: undefined });
    await printAnswers(answersTo(client, question, values), { format: output, ...shownOf(values) }, client.baseUrl, io);
    return 0;
  },
};

/** The query, checked before any request is sent. */
async function questionOf(values: Values, apl: string | undefined): Promise<PagedQuery> {
  const [file, dataset] = [textOf(values, "request"), textOf(values, "dataset")];
  refuseMixtures(values);
  const now = new Date();
  const period = {
    ...timeOption("startTime", "start", values, now),
    ...timeOption("endTime", "end", values, now),
  };
  if (file === undefined) {
    if (!apl) throw new Error('a query is missing: see "pulumi-event-datasets query --help"');
    if (dataset !== undefined)
      throw new Error("--dataset: goes with --request; a query in text names its dataset itself");
    return { apl, ...period };
  }
  if (apl !== undefined) throw new Error("--request: takes the place of a query in text; give one of them");
  if (dataset === undefined) throw new Error("--request: needs --dataset");
  if (textOf(values, "save-as-dataset") !== undefined)
    throw new Error("--save-as-dataset: goes with a query in text; a structured one has its --dataset");
  return { ...(await readRequest(file, now)), ...period, dataset };
}

/** @throws Error for options that contradict each other */
function refuseMixtures(values: Values): void {
  const kind = textOf(values, "save-as-kind");
  if (values.all === true && values.totals === true)
    throw new Error("--totals: every page has its own; give it without --all");
  if (values.all === true && kind !== undefined)
    throw new Error("--save-as-kind: a query is saved once; give it without --all");
  if (kind === undefined && textOf(values, "save-as-dataset") !== undefined)
    throw new Error("--save-as-dataset: goes with --save-as-kind");
}

const shownOf = (values: Values) => ({ totalsOnly: values.totals === true, isList: values.all === true });

/** The response, or with `--all` one after another. */
async function* answersTo(client: EventDatasets, question: PagedQuery, values: Values): AsyncGenerator<QueryResult> {
  const options = { nocache: values.nocache === true ? true : undefined };
  if (values.all === true) return yield* client.queries.pages(question, options);
  const saveAsKind = textOf(values, "save-as-kind");
  if ("apl" in question) {
    const saveAsDataset = textOf(values, "save-as-dataset");
    return yield await client.queries.apl(question, { ...options, saveAsKind, saveAsDataset });
  }
  const { dataset, ...request } = question;
  yield await client.queries.dataset(dataset, request, { ...options, saveAsKind });
}

interface Shown {
  readonly format: RowFormat;
  readonly totalsOnly: boolean;
  /** Whether there can be several responses. */
  readonly isList: boolean;
}

/** Prints responses as they arrive if the format allows it, else all at the end. */
async function printAnswers(
  answers: AsyncGenerator<QueryResult>,
  shown: Shown,
  baseUrl: string,
  io: Io,
): Promise<void> {
  const { format, totalsOnly, isList } = shown;
  const kept: QueryResult[] = [];
  const told = new Set<string>();
  for (let page = 1; io.canPrint(); page++) {
    const label = say`querying ${baseUrl}${page === 1 ? "" : `, page ${page}`}`;
    const { value: answer } = await withProgress(label, io.progress, answers.next());
    if (!answer) break;
    for (const warning of warningsOf(answer)) {
      if (!told.has(warning)) io.warn(makeVisible(warning));
      told.add(warning);
    }
    if (format === "ndjson") for (const line of linesOfRows(rowsOf(answer, totalsOnly), format, io)) io.print(line);
    else kept.push(answer);
  }
  if (format === "ndjson") return;
  if (format === "json" && !totalsOnly) return io.print(jsonText(isList ? kept : kept[0], 2));
  const all = kept.flatMap((answer) => rowsOf(answer, totalsOnly));
  for (const line of linesOfRows(all, format, io)) io.print(line);
}

const rowsOf = (answer: QueryResult, totalsOnly: boolean): Row[] => (totalsOnly ? totals(answer) : rows(answer));

function timeOption(field: "startTime" | "endTime", option: string, values: Values, now: Date) {
  const text = textOf(values, option);
  return text === undefined ? {} : { [field]: timeOf(text, `--${option}`, now) };
}

/** In milliseconds; undefined: that of the settings. */
function deadlineOf(seconds: string | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  const deadline = Number(seconds) * 1000;
  if (/^\d+$/.test(seconds) && deadline > 0 && deadline <= longestDeadline) return deadline;
  throw new Error(`--timeout: must be a whole number of seconds from 1 to ${longestDeadline / 1000}`);
}
