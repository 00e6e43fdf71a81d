import type { QueryTable } from "../pageResponses";
import { mostSeries, type Series } from "./chart";
import { instantOf, showValue } from "./text";

/** The part of a result that can be drawn. */
export interface Drawable {
  readonly xs: readonly number[];
  /** The labels of the rows, if the result has no column of times. */
  readonly labels: readonly string[] | undefined;
  readonly series: readonly Series[];
  /** The number of series that are not drawn, because they could not be told apart. */
  readonly left: number;
}

interface Columns {
  readonly times: readonly unknown[] | undefined;
  readonly numbers: readonly { readonly name: string; readonly values: readonly unknown[] }[];
  readonly groups: readonly (readonly unknown[])[];
  readonly rows: number;
}

/**
 * Each combination of groups in a summary becomes a series, or a bar if there are no times. Undefined if there are no numbers,
 * and for a list of events, where each event would become a series.
 */
export function drawableOf(table: QueryTable): Drawable | undefined {
  if (table.fields.every(({ agg }) => agg === undefined)) return undefined;
  const columns = columnsOf(table);
  if (columns.numbers.length === 0 || columns.rows === 0) return undefined;
  const { series, ...axis } = columns.times ? drawOverTime(columns, columns.times) : drawByGroup(columns);
  return { ...axis, series: series.slice(0, mostSeries), left: Math.max(0, series.length - mostSeries) };
}

function columnsOf({ fields, columns }: QueryTable): Columns {
  const all = fields.map(({ name, type }, n) => ({ name, type, values: columns[n] ?? [] }));
  const time = all.find(({ type }) => type === "datetime");
  const isNumber = ({ values }: { values: readonly unknown[] }) =>
    values.some((value) => typeof value === "number") &&
    values.every((value) => value === null || typeof value === "number");
  const numbers = all.filter((column) => column !== time && isNumber(column));
  const groups = all.filter((column) => column !== time && !numbers.includes(column)).map(({ values }) => values);
  return { times: time?.values, numbers, groups, rows: columns[0]?.length ?? 0 };
}

function drawOverTime({ numbers, groups, rows }: Columns, times: readonly unknown[]): Omit<Drawable, "left"> {
  const at = times.map((time) => (instantOf(time) ?? Number.NaN) / 1_000);
  const xs = [...new Set(at.filter((time) => !Number.isNaN(time)))].sort((a, b) => a - b);
  const places = new Map(xs.map((x, n) => [x, n]));
  const found = new Map<string, (number | null)[]>();
  for (let row = 0; row < rows; row += 1) {
    const place = places.get(at[row] ?? Number.NaN);
    if (place === undefined) continue;
    const group = groups.map((values) => showValue(values[row])).join(" · ");
    for (const { name, values } of numbers) {
      const label = [group, numbers.length > 1 || group === "" ? name : ""].filter(Boolean).join(" · ");
      const series = found.get(label) ?? Array<number | null>(xs.length).fill(null);
      series[place] = values[row] as number | null;
      found.set(label, series);
    }
  }
  return { xs, labels: undefined, series: [...found].map(([label, values]) => ({ label, values })) };
}

function drawByGroup({ numbers, groups, rows }: Columns): Omit<Drawable, "left"> {
  const labels = Array.from(
    { length: rows },
    (_, row) => groups.map((values) => showValue(values[row])).join(" · ") || `${row + 1}`,
  );
  const series = numbers.map(({ name, values }) => ({ label: name, values: values as readonly (number | null)[] }));
  return { xs: labels.map((_, n) => n), labels, series };
}
