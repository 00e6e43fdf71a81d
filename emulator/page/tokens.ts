import type { ObjectsResponse, ShownObject } from "../pageResponses";
import { type Child, commandHere, element, emptyState, fill, labelControl, tableElement } from "./dom";
import type { State } from "./state";
import { formatCount, formatRelative, formatTime, instantOf, showValue } from "./text";
import type { View } from "./view";

const dayLength = 86_400_000;
const nearMs = 14 * dayLength;
const noTokens =
  "There are no tokens yet. Set EVENT_DATASETS_ACCESS_TOKEN to the root token, and deploy a program with an ApiToken:";
/** A browser shows this many at once without a wait. */
const step = 300;

/** Live and expired tokens with their capabilities and expiry. */
export function tokensView(): View {
  const filter = element("input", { type: "search", autocomplete: "off", spellcheck: "false" });
  const found = element("p", { role: "status", class: "hint" });
  const list = element("div", { tabindex: "-1" });
  const more = element("button", { type: "button", class: "quiet" });
  let most = step;
  let objects: ObjectsResponse | undefined;
  const show = () => {
    if (!objects) return;
    const { tokens } = objects;
    const now = Date.parse(objects.now);
    const wanted = filter.value.toLowerCase();
    const fitting = tokens.filter((token) => JSON.stringify(token).toLowerCase().includes(wanted)).sort(byEnd(now));
    const left = Math.max(0, fitting.length - most);
    const cut = left > 0 ? `; the first ${most.toLocaleString("en")} are shown` : "";
    const words = `${fitting.length} of ${formatCount(tokens.length, "token")}${cut}`;
    fill(found, tokens.length === 0 ? emptyState(noTokens, commandHere("pulumi up")) : words);
    fill(list, fitting.length === 0 ? undefined : tokenTable(fitting.slice(0, most), now));
    fill(more, `Show ${formatCount(Math.min(step, left), "more token")}`);
    more.hidden = left === 0;
  };
  filter.addEventListener("input", show);
  more.addEventListener("click", () => {
    most += step;
    show();
    if (more.hidden) list.focus();
  });
  return {
    content: element("div", {}, element("div", { class: "fields" }, labelControl("Filter", filter)), found, list, more),
    update(state: State) {
      if (state.objects === objects) return;
      objects = state.objects;
      show();
    },
  };
}

/** The earliest expiry first, then tokens without expiry, then expired tokens. */
const byEnd = (now: number) => (a: ShownObject, b: ShownObject) => weightOf(a, now) - weightOf(b, now);

function weightOf({ expiresAt }: ShownObject, now: number): number {
  const end = instantOf(expiresAt);
  if (end === undefined) return Number.MAX_SAFE_INTEGER / 2;
  return end <= now ? Number.MAX_SAFE_INTEGER - end : end;
}

function tokenTable(tokens: readonly ShownObject[], now: number): HTMLTableElement {
  const ends = tokens.map(({ expiresAt }) => instantOf(expiresAt) ?? 0);
  const last = Math.max(now + 30 * dayLength, ...ends);
  const made = tableElement(
    "API tokens, the next one to expire first",
    [{ name: "Token" }, { name: "Capabilities" }, { name: "Expires" }],
    tokens.map((token) => [nameOf(token), capabilitiesOf(token), endOf(token, now, last)]),
  );
  made.classList.add("tokens");
  made.querySelector("th:last-child")?.append(axis(now, last));
  return made;
}

const nameOf = ({ id, name, description }: ShownObject): HTMLElement =>
  element(
    "div",
    {},
    element("bdi", { class: "name" }, showValue(name)),
    element("code", { class: "quiet" }, id),
    description ? element("p", { class: "quiet" }, showValue(description)) : undefined,
  );

function capabilitiesOf(token: ShownObject): HTMLElement {
  const chips = [
    ...chipsOf("", token.orgCapabilities),
    ...datasetsOf("dataset", token.datasetCapabilities),
    ...datasetsOf("view", token.viewCapabilities),
  ];
  if (chips.length === 0) return element("span", { class: "quiet" }, "none");
  return element("ul", { class: "chips" }, ...chips);
}

/** Capabilities: lists of actions by name. A value of another shape is shown as it is. */
const chipsOf = (of: string, capabilities: unknown): HTMLElement[] =>
  entriesOf(capabilities).flatMap(([key, actions]) => {
    const list = Array.isArray(actions) ? actions.map(showValue).join(", ") : showValue(actions);
    return list === ""
      ? []
      : [element("li", {}, of ? element("bdi", { class: "quiet" }, `${of} `) : undefined, `${key}: ${list}`)];
  });

const datasetsOf = (kind: string, capabilities: unknown): HTMLElement[] =>
  entriesOf(capabilities).flatMap(([name, inner]) => chipsOf(`${kind} ${name}`, inner));

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];

/** A token's expiry in words, and as a line that starts today. */
function endOf({ expiresAt }: ShownObject, now: number, last: number): HTMLElement {
  const end = instantOf(expiresAt);
  const [kind, words] = wordsOf(expiresAt, end, now);
  const until: Child =
    end === undefined
      ? undefined
      : element("time", { class: "quiet", datetime: new Date(end).toISOString() }, ` ${formatTime(end)}`);
  const line = element("i");
  const share = end === undefined ? 1 : Math.max(0, (end - now) / (last - now));
  line.style.width = `${Math.min(100, share * 100)}%`;
  return element(
    "div",
    {},
    element("span", { class: `end ${kind}` }, words),
    until,
    element("div", { class: `line ${kind}`, "aria-hidden": "true" }, line),
  );
}

function wordsOf(expiresAt: unknown, end: number | undefined, now: number): readonly [kind: string, words: string] {
  if (end === undefined) {
    const isNever =
      expiresAt === undefined || expiresAt === null || showValue(expiresAt).startsWith("0001-01-01T00:00:00");
    return isNever ? ["poor", "never"] : ["bad", `cannot be read: ${showValue(expiresAt)}`];
  }
  if (end <= now) return ["bad", `expired ${formatRelative(end, now)}`];
  return [end - now < nearMs ? "poor" : "good", formatRelative(end, now)];
}

/** The start and the end of the lines. */
const axis = (now: number, last: number): HTMLElement => {
  const day = (at: number) => element("span", {}, new Date(at).toISOString().slice(0, 10));
  return element("div", { class: "axis", "aria-hidden": "true" }, day(now), day((now + last) / 2), day(last));
};
