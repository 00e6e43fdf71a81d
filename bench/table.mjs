// @ts-check
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, release, totalmem } from "node:os";
import path from "node:path";
import { formatLikeTheTree } from "../scripts/generate/produce.mjs";
import { fillMark } from "../scripts/generate/sources.mjs";

/** @typedef {import("./measure.mjs").Row} Row */

/** The rows as Markdown, each compared with the first row of its subject. @param {readonly Row[]} rows */
export function describeRows(rows) {
  const columns = [...new Set(rows.flatMap(({ runs }) => runs.flatMap((figures) => Object.keys(figures))))];
  const lines = rows.map((row) => {
    const first = rows.find(({ subject }) => subject === row.subject);
    return [row.subject, row.variant, ...columns.map((column) => describeFigure(column, row, first))];
  });
  const table = [["", "", ...columns], ["---", "---", ...columns.map(() => "---:")], ...lines];
  const machine = `${availableParallelism()} cores of ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const where = `${machine}, ${process.platform} ${release()}, Node.js ${process.versions.node}.`;
  return [where, "", ...table.map((cells) => `| ${cells.join(" | ")} |`)].join("\n");
}

/** @param {string} column @param {Row} row @param {Row | undefined} first */
function describeFigure(column, row, first) {
  const values = sortedValues(row, column);
  if (values.length === 0) return "";
  const [least, most] = [short(values[0]), short(values.at(-1))];
  const spread = least === most ? "" : ` [${least}–${most}]`;
  const base = first && first !== row ? median(sortedValues(first, column)) : 0;
  return `${short(median(values))}${spread}${base > 0 ? ` (${(median(values) / base).toFixed(2)})` : ""}`;
}

/** @param {Row} row @param {string} column */
const sortedValues = ({ runs }, column) => runs.flatMap((figures) => figures[column] ?? []).sort((a, b) => a - b);

/** @param {readonly number[]} sorted of an even number, the middle between the two in the middle */
function median(sorted) {
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/** @param {number} [value] */
const short = (value = 0) => Number(value.toPrecision(3)).toString();

/** @param {string} name of the bench @param {string} text */
export async function writeTable(name, text) {
  const root = path.join(import.meta.dirname, "..");
  const file = path.join(import.meta.dirname, "RESULTS.md");
  const page = fillMark(await readFile(file, "utf8"), name, text);
  await writeFile(file, await formatLikeTheTree(root, "bench/RESULTS.md", page));
}
