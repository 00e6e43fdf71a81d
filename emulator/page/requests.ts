import type { RecentRequest } from "../pageResponses";
import { commandHere, element, emptyState, fill, labelControl, selectElement, tableElement } from "./dom";
import type { State } from "./state";
import { formatCount } from "./text";
import type { View } from "./view";

const outcomes: Readonly<Record<string, (request: RecentRequest) => boolean>> = {
  all: () => true,
  accepted: ({ status }) => status !== undefined && status < 400,
  "refused or failed": ({ status }) => status !== undefined && status >= 400,
  "without response": ({ status }) => status === undefined,
};

const nothingYet =
  "There are no requests yet. Set EVENT_DATASETS_ACCESS_TOKEN to the root token, and check the connection:";

/** The last requests and their outcomes, newest first. */
export function requestsView(): View {
  const outcome = selectElement(Object.keys(outcomes).map((name) => [name, name]));
  const found = element("p", { role: "status", class: "hint" });
  const list = element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Requests" });
  let all: readonly RecentRequest[] = [];
  const show = () => {
    const shown = all.filter((request) => outcomes[outcome.value]?.(request)).toReversed();
    const last = formatCount(all.length, "request");
    const words = shown.length === all.length ? last : `${shown.length} of the last ${last}`;
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

function outcomeOf({ status = Number.NaN, message, milliseconds }: RecentRequest): HTMLElement {
  const kind = status < 400 ? "good" : status < 500 ? "poor" : "bad";
  const missing = milliseconds === undefined ? "under way" : "no response";
  const badge = element("span", { class: `badge ${kind}` }, Number.isNaN(status) ? missing : String(status));
  return element("span", {}, badge, message ? ` ${message}` : undefined);
}

function callerOf({ caller }: RecentRequest): HTMLElement {
  if (!caller) return element("span", { class: "quiet" }, "none");
  return caller.root ? element("em", {}, "root token") : element("bdi", {}, caller.name);
}
