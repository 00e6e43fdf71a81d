import type { QueryResponse, QueryTable } from "../pageResponses";
import { drawChart } from "./chart";
import { element, emptyState, fill, labelControl, selectElement } from "./dom";
import { quoteName } from "./quoting";
import { type Drawable, drawableOf } from "./results";
import { resultTable } from "./resultTable";
import { reasonOf, type Session } from "./session";
import type { State } from "./state";
import { formatCount } from "./text";
import type { View } from "./view";

const nothingYet = "There are no datasets yet. Stop the emulator, and start it with sample data:";
const startWithSample = "npx event-datasets-emulator --sample";

/** A query, its result as a table and a chart, and the bounds of a gate over it. */
export function queryView(session: Session): View {
  const form = queryForm();
  const outcome = element("p", { role: "status", class: "hint" });
  const chart = element("figure", {});
  const tables = element("div");
  let drawn = new AbortController();
  let response: QueryResponse | undefined;
  let asked = 0;

  const draw = () => {
    drawn.abort();
    drawn = new AbortController();
    fill(chart);
    const drawable = response?.tables[0] && drawableOf(response.tables[0]);
    if (drawable && form.kind.value !== "none") drawResult(chart, drawable, form, drawn.signal);
  };
  const run = async () => {
    asked += 1;
    const own = asked;
    fill(outcome, "Running …");
    const outcomeOf = session.query(requestOf(form)).then(
      (given) => ({ given, said: summaryOf(given) }),
      (failure: unknown) => ({ given: undefined, said: element("strong", { class: "problem" }, reasonOf(failure)) }),
    );
    const { given, said } = await outcomeOf;
    // Ignore a late response to an earlier query.
    if (own !== asked) return;
    response = given;
    fill(outcome, said);
    fill(tables, ...(response?.tables ?? []).map((one) => resultTable(nameOf(one), one)));
    draw();
  };
  form.element.addEventListener("submit", (event) => {
    event.preventDefault();
    void run();
  });
  form.apl.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.element.requestSubmit();
  });
  for (const input of [form.kind, form.minimum, form.maximum]) input.addEventListener("input", draw);
  return {
    content: element("div", {}, form.element, outcome, chart, tables),
    open: draw,
    update({ objects }: State) {
      const [first] = objects.datasets;
      if (response === undefined && asked === 0)
        fill(outcome, first === undefined ? emptyState(nothingYet, startWithSample) : undefined);
      if (form.apl.value === "" && first !== undefined)
        form.apl.value = `${quoteName(first)}\n| summarize count() by bin_auto(_time)`;
    },
  };
}

const nameOf = ({ name }: QueryTable): string => (name === "_totals" ? "Totals" : "Result");

function queryForm() {
  const plain = { autocomplete: "off", spellcheck: "false" } as const;
  const apl = element("textarea", { ...plain, rows: "4", required: true, "aria-describedby": "query-keys" });
  const from = element("input", { ...plain, type: "text", placeholder: "such as now-1d" });
  const to = element("input", { ...plain, type: "text", placeholder: "such as now" });
  const kind = selectElement([
    ["line", "lines"],
    ["bars", "bars"],
    ["none", "none"],
  ]);
  const minimum = element("input", { ...plain, type: "number", step: "any" });
  const maximum = element("input", { ...plain, type: "number", step: "any" });
  const made = element(
    "form",
    { class: "query" },
    labelControl("Query (APL)", apl),
    element(
      "div",
      { class: "fields" },
      labelControl("From", from),
      labelControl("To", to),
      labelControl("Chart", kind),
      labelControl("Gate: minimum", minimum),
      labelControl("Gate: maximum", maximum),
    ),
    element("button", { type: "submit" }, "Run"),
    element("span", { id: "query-keys", class: "hint" }, "Ctrl+Enter also runs it."),
  );
  return { element: made, apl, from, to, kind, minimum, maximum };
}

type Form = ReturnType<typeof queryForm>;

/** A query without times reads all events. */
function requestOf({ apl, from, to }: Form): { apl: string; startTime?: string; endTime?: string } {
  const startTime = from.value.trim();
  const endTime = to.value.trim();
  return { apl: apl.value, ...(startTime === "" ? {} : { startTime }), ...(endTime === "" ? {} : { endTime }) };
}

function summaryOf({ tables, status }: QueryResponse): string {
  const rows = tables[0]?.columns[0]?.length ?? 0;
  const words = [
    formatCount(rows, "row"),
    `${formatCount(status.rowsExamined, "event")} examined`,
    `${(status.elapsedTime / 1_000).toFixed(1)} ms`,
  ];
  const notes = [status.isPartial ? "The result is partial." : "", ...status.messages.map(({ msg }) => msg)].filter(
    Boolean,
  );
  return `${words.join(", ")}. ${notes.join(" ")}`.trim();
}

function drawResult(parent: HTMLElement, drawable: Drawable, form: Form, signal: AbortSignal): void {
  const bounds = { minimum: numberOf(form.minimum), maximum: numberOf(form.maximum) };
  const canvas = element("div", { class: "chart" });
  const { xs, labels, series, left } = drawable;
  // A line would suggest an order between categories.
  const kind = form.kind.value === "bars" || labels ? "bars" : "line";
  const values = series.flatMap((one) => one.values.filter((value) => value !== null));
  const verdict = verdictOf(values, bounds);
  const caption = [verdict, left > 0 ? `${left} more series are in the table only.` : ""].filter(Boolean).join(" ");
  fill(parent, caption ? element("figcaption", {}, caption) : undefined, canvas);
  const name =
    `Chart of ${series.map(({ label }) => label).join(", ")}; the table below has the values. ${verdict}`.trim();
  drawChart(canvas, { name, kind, xs, labels, series, bounds }, signal);
}

/** Describes how many values are outside the bounds of a gate. */
function verdictOf(
  values: readonly number[],
  bounds: { minimum: number | undefined; maximum: number | undefined },
): string {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = bounds;
  if (bounds.minimum === undefined && bounds.maximum === undefined) return "";
  const outside = values.filter((value) => value < minimum || value > maximum).length;
  return `${outside} of ${formatCount(values.length, "value")} ${outside === 1 ? "is" : "are"} out of bounds.`;
}

const numberOf = (input: HTMLInputElement): number | undefined =>
  input.value === "" ? undefined : input.valueAsNumber;
