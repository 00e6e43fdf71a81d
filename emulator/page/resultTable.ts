import type { QueryTable } from "../pageResponses";
import { element, tableElement } from "./dom";
import { formatCount, showValue } from "./text";

const mostRows = 200;

/** The first rows of a result. */
export function resultTable(name: string, { fields, columns }: QueryTable): HTMLElement {
  const rows = columns[0]?.length ?? 0;
  const isNumber = (n: number) => columns[n]?.some((value) => typeof value === "number") ?? false;
  const made = tableElement(
    rows > mostRows
      ? `${name}: the first ${mostRows} of ${formatCount(rows, "row")}`
      : `${name}: ${formatCount(rows, "row")}`,
    fields.map((field, n) => ({ name: field.name, isNumber: isNumber(n) })),
    Array.from({ length: Math.min(rows, mostRows) }, (_, row) => columns.map((values) => showValue(values[row]))),
  );
  made.classList.add("result");
  return element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": name }, made);
}
