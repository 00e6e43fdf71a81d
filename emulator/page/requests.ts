import type { RecentRequest } from "../pageResponses";
import { commandHere, element, emptyState, fill, labelControl, selectElement, tableElement } from "./dom";
import type { State } from "./state";
import { formatCount } from "./text";
import type { View } from "./view";

const outcomes = {
  all: () => true,
  accepted: ({ status }: RecentRequest) => status !== undefined && status < 400,
  refused: ({ status }: RecentRequest) => status !== undefined && status >= 400,
  cut: ({ status }: RecentRequest) => status === undefined,
} as const;

const nothingYet =
  "There are no requests yet. Set EVENT_DATASETS_ACCESS_TOKEN to the root token, and check the connection:";

/** The last requests and their outcomes, newest first. */
export function requestsView(): View {
  const outcome = selectElement([
    ["all", "all"],
    ["accepted", "accepted"],
    ["refused", "refused or failed"],
    ["cut", "without response"],
  ]);
  const found = element("p", { role: "status", class: "hint" });
  const list = element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Requests" });
  let all: readonly RecentRequest[] = [];
  const show = () => {
    const shown = all.filter(outcomes[outcome.value as keyof typeof outcomes]).toReversed();
    const words = `${formatCount(shown.length, "request")} of the last ${all.length}`;
    if (all.length === 0) fill(found, emptyState(nothingYet, commandHere("npx pulumi-event-datasets doctor")));
    else if (found.textContent !== words) fill(found, words);
    fill(list, shown.length === 0 ? undefined : requestTable(shown));
  };
  outcome.addEventListener("change", show);
  return {
    content: element("div", {}, element("div", { class: "fields" }, labelControl("Outcome", outcome)), found, list),
    update({ requests }: State) {
      if (requests === all) return;
      all = requests;
      show();
    },
  };
}

const columns = [
  { name: "Time (UTC)" },
  { name: "Request" },
  { name: "Outcome" },
  { name: "Token" },
  { name: "Duration", isNumber: true },
];

const requestTable = (requests: readonly RecentRequest[]): HTMLTableElement =>
  tableElement(
    "The last requests, the newest first",
    columns,
    requests.map((request) => [
      element("time", { datetime: request.time }, request.time.slice(11, 23)),
      element("span", { class: "request" }, element("b", {}, request.method), " ", element("code", {}, request.path)),
      outcomeOf(request),
      callerOf(request),
      request.milliseconds === undefined ? "under way" : `${request.milliseconds} ms`,
    ]),
  );

function outcomeOf({ status, message, milliseconds }: RecentRequest): HTMLElement {
  if (status === undefined)
    return element(
      "span",
      {},
      element("span", { class: "badge bad" }, milliseconds === undefined ? "under way" : "no response"),
    );
  const kind = status < 400 ? "good" : status < 500 ? "poor" : "bad";
  return element(
    "span",
    {},
    element("span", { class: `badge ${kind}` }, String(status)),
    message ? ` ${message}` : undefined,
  );
}

function callerOf({ caller }: RecentRequest): HTMLElement {
  if (!caller) return element("span", { class: "quiet" }, "none");
  return caller.root ? element("em", {}, "root token") : element("bdi", {}, caller.name);
}
