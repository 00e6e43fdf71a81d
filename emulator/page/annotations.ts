import type { ObjectsResponse, ShownObject } from "../pageResponses";
import { drawChart, type Mark } from "./chart";
import { commandHere, element, emptyState, fill, labelControl, selectElement, tableElement } from "./dom";
import { quoteName } from "./quoting";
import { drawableOf } from "./results";
import { resultTable } from "./resultTable";
import { reasonOf, type Session } from "./session";
import { formatCount, formatTime, instantOf, showValue } from "./text";
import type { View } from "./view";

const ranges = [
  ["", "everything"],
  ["now-1h", "the last hour"],
  ["now-1d", "the last day"],
  ["now-7d", "the last 7 days"],
  ["now-30d", "the last 30 days"],
] as const;

const nothingYet =
  "There are no datasets and no annotations yet. Set EVENT_DATASETS_ACCESS_TOKEN to the root token, and annotate a command:";
const annotate = commandHere("npx pulumi-event-datasets annotate --dataset web -- true");

/** A chart of a dataset's events over time with the annotations, and tables of both. */
export function annotationsView(session: Session): View {
  const dataset = element("select");
  const range = selectElement(ranges);
  const outcome = element("p", { role: "status", class: "hint" });
  const chart = element("figure");
  const list = element("div");
  let objects: ObjectsResponse | undefined;
  let drawn = new AbortController();

  const show = async () => {
    if (!objects) return;
    if (dataset.options.length === 0) {
      fill(outcome, emptyState(nothingYet, annotate));
      return;
    }
    drawn.abort();
    drawn = new AbortController();
    const { signal } = drawn;
    const fitting = annotationsOf(objects.annotations, dataset.value);
    fill(list, fitting.length === 0 ? undefined : annotationTable(fitting));
    const words = `${formatCount(fitting.length, "annotation")}`;
    try {
      const isThere = objects.datasets.includes(dataset.value);
      const events = isThere
        ? await drawRate(session, chart, dataset.value, range.value, marksOf(fitting), signal)
        : undefined;
      if (signal.aborted) return;
      if (events === undefined) fill(chart);
      const rate = events === undefined ? "no events in this dataset" : `events in ${formatCount(events, "interval")}`;
      fill(outcome, `${words}, ${objects.problem ?? rate}.`);
    } catch (failure) {
      if (signal.aborted) return;
      fill(chart);
      fill(outcome, reasonOf(failure));
    }
  };
  dataset.addEventListener("change", show);
  range.addEventListener("change", show);
  return {
    content: element(
      "div",
      {},
      element("div", { class: "fields" }, labelControl("Dataset", dataset), labelControl("Time", range)),
      outcome,
      chart,
      list,
    ),
    open: () => void show(),
    update(state) {
      if (state.objects === objects) return;
      objects = state.objects;
      fillDatasets(dataset, objects);
      if (dataset.isConnected) void show();
    },
  };
}

/** Offers the datasets with events and the datasets that annotations name. */
function fillDatasets(select: HTMLSelectElement, { datasets, annotations }: ObjectsResponse): void {
  const named = annotations.flatMap((one) => (Array.isArray(one.datasets) ? one.datasets.map(showValue) : []));
  const names = [...new Set([...datasets, ...named])];
  const before = select.value;
  fill(select, ...names.map((name) => element("option", { value: name }, name)));
  if (names.includes(before)) select.value = before;
}

const annotationsOf = (annotations: readonly ShownObject[], dataset: string): ShownObject[] =>
  annotations
    .filter(({ datasets }) => !Array.isArray(datasets) || datasets.map(showValue).includes(dataset))
    .sort((a, b) => (instantOf(a.time) ?? 0) - (instantOf(b.time) ?? 0));

const marksOf = (annotations: readonly ShownObject[]): Mark[] =>
  annotations.flatMap(({ time, endTime }, n) => {
    const from = instantOf(time);
    const to = instantOf(endTime);
    return from === undefined
      ? []
      : [{ label: `${n + 1}`, from: from / 1_000, to: to === undefined ? undefined : to / 1_000 }];
  });

/** Draws the events over time. Resolves to the number of intervals with events; undefined if there are none. */
async function drawRate(
  session: Session,
  parent: HTMLElement,
  dataset: string,
  startTime: string,
  marks: readonly Mark[],
  signal: AbortSignal,
): Promise<number | undefined> {
  const period = startTime === "" ? {} : { startTime, endTime: "now" };
  const { tables } = await session.query({
    apl: `${quoteName(dataset)} | summarize events = count() by bin_auto(_time)`,
    ...period,
  });
  const [rate] = tables;
  const drawable = rate && drawableOf(rate);
  if (signal.aborted || !rate || !drawable) return undefined;
  const canvas = element("div", { class: "chart" });
  const { xs, series } = drawable;
  fill(
    parent,
    canvas,
    element("details", {}, element("summary", {}, "Events as a table"), resultTable("Events", rate)),
  );
  const name = `Events of ${dataset} over time with ${formatCount(marks.length, "annotation")}; the tables below have both`;
  drawChart(canvas, { name, kind: "bars", xs, series, marks, range: rangeOf(xs, marks) }, signal);
  return xs.length;
}

/** The time range of the events and of the annotations near them, such as a deployment before the first event. */
function rangeOf(xs: readonly number[], marks: readonly Mark[]): readonly [number, number] {
  const [first = 0, last = first] = [xs[0], xs.at(-1)];
  const reach = Math.max(60, (last - first) * 0.25);
  const times = marks
    .flatMap(({ from, to }) => [from, to ?? from])
    .filter((at) => at > first - reach && at < last + reach);
  const [from, to] = [Math.min(first, ...times), Math.max(last, ...times)];
  const room = Math.max(30, (to - from) * 0.04);
  return [from - room, to + room];
}

const columns = [{ name: "No." }, { name: "Time" }, { name: "Type" }, { name: "Title" }, { name: "More" }];

const annotationTable = (annotations: readonly ShownObject[]): HTMLElement =>
  tableElement(
    "Annotations, with their numbers in the chart",
    columns,
    annotations.map((one, n) => [`${n + 1}`, timeOf(one), showValue(one.type), showValue(one.title), moreOf(one)]),
  );

function timeOf({ time, endTime }: ShownObject): HTMLElement {
  const [from, to] = [instantOf(time), instantOf(endTime)];
  const words = from === undefined ? showValue(time) : formatTime(from);
  if (from === undefined || to === undefined) return element("span", {}, words);
  return element("span", {}, words, element("span", { class: "quiet" }, ` for ${Math.round((to - from) / 1_000)} s`));
}

/** Links only to http and https, because a URL can contain a script. */
function moreOf({ description, url, id }: ShownObject): HTMLElement {
  const address = showValue(url);
  const isWeb = /^https?:\/\//i.test(address) && URL.canParse(address);
  const link = isWeb
    ? element("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, address)
    : element("code", {}, address);
  return element(
    "div",
    {},
    description ? element("p", {}, showValue(description)) : undefined,
    address === "" ? undefined : link,
    element("code", { class: "quiet block" }, id),
  );
}
