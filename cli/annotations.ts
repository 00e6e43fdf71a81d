import type { AnnotationRecord, Row } from "../sdk";
import { environmentNames } from "../sdk";
import { type Command, textOf, textsOf } from "./command";
import { connect } from "./connection";
import { timeOf } from "./query/times";
import { safeJson } from "./reports/text";
import { linesOfRows, rowFormatOf } from "./rows";

const help = `Usage: event-datasets annotations list [options]

Prints annotations, the newest first. Needs the profile extended (EVENT_DATASETS_PROFILE).

  --dataset <name>   those of this dataset; repeatable: of any of them
  --type <name>      those of this type
  --start <time>     those that end at this time or later: an RFC 3339 instant, now, now-1h, now-7d
  --end <time>       those that begin before this time
  --output <format>  table (default), json, ndjson or csv
  --help             prints this

The service is EVENT_DATASETS_BASE_URL, the credential EVENT_DATASETS_ACCESS_TOKEN.
Exit codes: 0 answered, also where nothing fits; 2 not answered.`;

/** Prints annotations. */
export const annotations: Command = {
  help,
  argument: "subcommand",
  options: {
    dataset: { type: "string", multiple: true },
    type: { type: "string" },
    start: { type: "string" },
    end: { type: "string" },
    output: { type: "string", default: "table" },
  },

  async run(values, io, subcommand) {
    if (subcommand !== "list") throw new Error('the subcommand must be list: see "event-datasets annotations --help"');
    const format = rowFormatOf(textOf(values, "output"));
    const now = new Date();
    const [start, end] = ["start", "end"].map((option) => {
      const text = textOf(values, option);
      return text === undefined ? undefined : Date.parse(timeOf(text, `--${option}`, now));
    });
    const [datasets, type] = [textsOf(values, "dataset"), textOf(values, "type")];
    await using client = connect(io);
    if (!client.can("annotations.list")) {
      throw new Error(
        `the documented interface cannot list annotations: set ${environmentNames.profile}=extended if the service can`,
      );
    }
    const all = await client.annotations.list();
    const nameless = all.odd.filter(({ id }) => id === undefined).length;
    if (nameless > 0) io.warn(`${nameless} entries of the list could not be read`);
    const fitting = all.filter(
      (one) =>
        (datasets.length === 0 || datasets.some((dataset) => one.datasets?.includes(dataset))) &&
        (type === undefined || one.type === type) &&
        (start === undefined || timeOrNaN(one.endTime ?? one.time) >= start) &&
        (end === undefined || timeOrNaN(one.time) < end),
    );
    fitting.sort((a, b) => (timeOrNaN(b.time) || 0) - (timeOrNaN(a.time) || 0));
    const redacted: AnnotationRecord[] = JSON.parse(safeJson(fitting));
    const rows = redacted.map(format === "json" || format === "ndjson" ? asRow : summarize);
    for (const line of linesOfRows(rows, format, io)) io.print(line);
    return 0;
  },
};

const timeOrNaN = (text = ""): number => Date.parse(text);

const asRow = (annotation: AnnotationRecord): Row => ({ ...annotation }) as unknown as Row;

const summarize = ({ id, time, endTime, type, title, datasets }: AnnotationRecord): Row => ({
  time: time ?? "",
  endTime: endTime ?? "",
  type: type ?? "",
  title: title ?? "",
  datasets: (datasets ?? []).join(", "),
  id,
});
