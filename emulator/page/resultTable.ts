import type { QueryTable } from "../pageAnswers";
import { element, table } from "./dom";
import { count, shown } from "./text";

const mostRows = 200;

/** The rows of a result, as far as people read. */
export function resultTable(name: string, { fields, columns }: QueryTable): HTMLElement {
  const rows = columns[0]?.length ?? 0;
  const isNumber = (n: number) => columns[n]?.some((value) => typeof value === "number") ?? false;
  const made = table(
    rows > mostRows ? `${name}: the first ${mostRows} of ${count(rows, "row")}` : `${name}: ${count(rows, "row")}`,
    fields.map((field, n) => ({ name: field.name, isNumber: isNumber(n) })),
    Array.from({ length: Math.min(rows, mostRows) }, (_, row) => columns.map((values) => shown(values[row]))),
  );
  made.classList.add("result");
  return element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": name }, made);
}
