import type { AnnotationRecord, Row } from "../sdk";
import { environmentNames } from "../sdk";
import { type Command, textOf, textsOf } from "./command";
import { connect } from "./connection";
import { count, pluralOf, warnOfOddEntries } from "./counts";
import { timeOf } from "./query/times";
import { linesOfRows, rowFormatOf } from "./rows";
import { hideSecrets, say } from "./text";

/** Prints annotations. */
export const annotations: Command = {
  async run(values, io) {
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
    warnOfOddEntries(all, io);
    const meant = all.filter(
      (one) =>
        (datasets.length === 0 || datasets.some((dataset) => one.datasets?.includes(dataset))) &&
        (type === undefined || one.type === type),
    );
    const isAfterStart = (one: AnnotationRecord) => start === undefined || endOf(one) >= start;
    const isBeforeEnd = (one: AnnotationRecord) => end === undefined || timeOrNaN(one.time) < end;
    const isUndated = (one: AnnotationRecord) =>
      (start !== undefined && Number.isNaN(endOf(one))) || (end !== undefined && Number.isNaN(timeOrNaN(one.time)));
    const undated = meant.filter(isUndated).length;
    if (undated > 0) {
      const [have, them] = [pluralOf(undated, "has", "have"), pluralOf(undated, "it", "them")];
      const entries = count(undated, "entry", "entries");
      io.warn(say`${entries} ${have} no time that can be read: --start and --end leave ${them} out`);
    }
    const fitting = meant.filter((one) => isAfterStart(one) && isBeforeEnd(one));
    fitting.sort((a, b) => (timeOrNaN(b.time) || 0) - (timeOrNaN(a.time) || 0));
    const rows = hideSecrets([...fitting]).map(format === "json" || format === "ndjson" ? rowOf : summarize);
    for (const line of linesOfRows(rows, format, io, ["id"])) io.print(line);
    return 0;
  },
};

const timeOrNaN = (text = ""): number => Date.parse(text);

const endOf = ({ time, endTime }: AnnotationRecord): number => timeOrNaN(endTime ?? time);

const rowOf = (annotation: AnnotationRecord): Row => ({ ...annotation }) as unknown as Row;

const summarize = ({ id, time, endTime, type, title, datasets }: AnnotationRecord): Row => ({
  time: time ?? "",
  endTime: endTime ?? "",
  type: type ?? "",
  title: title ?? "",
  datasets: (datasets ?? []).join(", "),
  id,
});
