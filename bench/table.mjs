// @ts-check
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, release, totalmem } from "node:os";
import path from "node:path";
import { formatLikeTheTree } from "../scripts/generate/produce.mjs";
import { fillMark } from "../scripts/generate/sources.mjs";

/**
 * The figures of one variant, each once a round. Each row is compared with the first row of its subject.
 * @typedef {{ subject: string, variant: string, figures: Readonly<Record<string, readonly number[]>> }} Row
 */

/** @param {readonly number[]} values of an even number, the middle between the two in the middle */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle) - 1] ?? Number.NaN)) / 2;
}

/** @param {number} value */
const short = (value) => (value === 0 ? "0" : Number(value.toPrecision(3)).toString());

/**
 * The rows as Markdown.
 * @param {readonly Row[]} rows
 * @param {string} about
 */
export function describeRows(rows, about) {
  const columns = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))];
  const head = ["", "", ...columns];
  const lines = rows.map((row) => {
    const base = rows.find(({ subject }) => subject === row.subject);
    const cells = columns.map((column) =>
      describeFigure(row.figures[column], base === row ? [] : base?.figures[column]),
    );
    return [row.subject, row.variant, ...cells];
  });
  const table = [head, head.map((_, at) => (at < 2 ? "---" : "---:")), ...lines];
  const machine = `${availableParallelism()} cores of ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const where = `${machine}, ${process.platform} ${release()}, Node.js ${process.versions.node}.`;
  const how =
    "Medians of all rounds, [the least to the most], and (in brackets) against the first row of the same subject.";
  return [about, "", `${where} ${how}`, "", ...table.map((cells) => `| ${cells.join(" | ")} |`)].join("\n");
}

/** @param {readonly number[]} [values] @param {readonly number[]} [base] */
function describeFigure(values = [], base = []) {
  if (values.length === 0) return "";
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const spread = short(least) === short(most) ? "" : ` [${short(least)}–${short(most)}]`;
  const ratio = base.length > 0 && median(base) > 0 ? ` (${(median(values) / median(base)).toFixed(2)})` : "";
  return `${short(median(values))}${spread}${ratio}`;
}

/** @param {string} name of the bench @param {string} text */
export async function writeTable(name, text) {
  const root = path.join(import.meta.dirname, "..");
  const file = path.join(import.meta.dirname, "RESULTS.md");
  const page = fillMark(await readFile(file, "utf8"), name, text);
  await writeFile(file, await formatLikeTheTree(root, "bench/RESULTS.md", page));
}
