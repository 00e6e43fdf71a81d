import type { QueryTable } from "../pageResponses";
import { element, tableElement } from "./dom";
import { formatCount, showValue } from "./text";

/** A browser shows this many at once without a wait. */
const step = 200;

/** The first rows of a result, and a button for more. */
export function resultTable(name: string, table: QueryTable, most = step): HTMLElement {
  const { fields, columns } = table;
  const rows = columns[0]?.length ?? 0;
  const isNumber = (n: number) => columns[n]?.some((value) => typeof value === "number") ?? false;
  const made = tableElement(
    rows > most ? `${name}: the first ${most} of ${formatCount(rows, "row")}` : `${name}: ${formatCount(rows, "row")}`,
    fields.map((field, n) => ({ name: field.name, isNumber: isNumber(n) })),
    Array.from({ length: Math.min(rows, most) }, (_, row) => columns.map((values) => showValue(values[row]))),
  );
  made.classList.add("result");
  const region = element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": name }, made);
  if (rows > most) {
    const more = element("button", { type: "button", class: "quiet" }, `Show ${Math.min(5 * step, rows - most)} more`);
    more.addEventListener("click", () => {
      const longer = resultTable(name, table, most + 5 * step);
      region.replaceWith(longer);
      longer.focus();
    });
    region.append(more);
  }
  return region;
}
