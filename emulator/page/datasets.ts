import type { DatasetsResponse, ObjectsResponse } from "../pageResponses";
import { element, emptyState, fill, tableElement } from "./dom";
import { reasonOf, type Session } from "./session";
import { formatCount, formatRelative, formatTime, instantOf, showValue } from "./text";
import type { View } from "./view";

const noDatasets = "There are no datasets yet. Stop the emulator, and start it with sample data:";

/** The datasets with the number of their events, their size and the time of the last event. */
export function datasetsView(session: Session): View {
  const outcome = element("p", { role: "status", class: "hint" });
  const list = element("div");
  let objects: ObjectsResponse | undefined;
  let asked = 0;
  const show = async () => {
    asked += 1;
    const own = asked;
    try {
      const datasets = await session.datasets();
      if (own !== asked) return;
      const hint = emptyState(noDatasets, "npx event-datasets-emulator --sample");
      fill(outcome, datasets.length === 0 ? hint : formatCount(datasets.length, "dataset"));
      fill(list, datasets.length === 0 ? undefined : datasetTable(datasets, Date.parse(objects?.now ?? "")));
    } catch (failure) {
      if (own === asked) fill(outcome, reasonOf(failure));
    }
  };
  return {
    content: element("div", {}, outcome, list),
    open: () => void show(),
    update(state) {
      if (state.objects === objects) return;
      objects = state.objects;
      if (list.isConnected) void show();
    },
  };
}

const columns = [
  { name: "Dataset" },
  { name: "Events", isNumber: true },
  { name: "Size", isNumber: true },
  { name: "Last event" },
  { name: "Retention" },
];

const datasetTable = (datasets: DatasetsResponse, now: number): HTMLElement =>
  tableElement(
    "Datasets, with the size of their events as text",
    columns,
    datasets.map(({ shown, events, bytes, last }) => [
      nameOf(shown),
      events.toLocaleString("en"),
      formatSize(bytes),
      lastOf(last, now),
      shown.useRetentionPeriod === true ? `${showValue(shown.retentionDays)} days` : "of the plan",
    ]),
  );

const nameOf = ({ name, kind, description }: DatasetsResponse[number]["shown"]): HTMLElement =>
  element(
    "div",
    {},
    element("bdi", { class: "name" }, showValue(name)),
    element("code", { class: "quiet" }, showValue(kind)),
    description ? element("p", { class: "quiet" }, showValue(description)) : undefined,
  );

const formatSize = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

function lastOf(last: string | undefined, now: number): HTMLElement {
  const at = instantOf(last);
  if (at === undefined) return element("span", { class: "quiet" }, "none");
  return element("span", {}, formatRelative(at, now), element("span", { class: "quiet" }, ` ${formatTime(at)}`));
}
