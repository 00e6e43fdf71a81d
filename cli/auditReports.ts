import { appendFile } from "node:fs/promises";
import type { AuditResult } from "../audit";
import type { Io } from "./command";
import { placeOf, removeFile, writeFiles } from "./files";
import { type ReportFormat, type ReportOptions, reportFormats, reports } from "./reports";
import { verdict } from "./reports/summary";
import { wholeLines } from "./text";

/** One report to write. */
export interface Output {
  readonly format: ReportFormat;
  /** Undefined: standard output. */
  readonly file: string | undefined;
}

/**
 * The reports that `--output` asks for.
 * @throws Error for an unknown format, and for two reports on standard output
 */
export function outputsOf(texts: readonly string[]): Output[] {
  const outputs = (texts.length > 0 ? texts : ["table"]).map((text) => {
    const [name, ...rest] = text.split("=");
    const format = reportFormats.find((one) => one === name);
    if (!format) throw new Error(`--output: the formats are ${reportFormats.join(", ")}`);
    const file = rest.join("=");
    if (rest.length > 0 && file === "") throw new Error(`--output ${format}=: the name of a file is missing`);
    return { format, file: rest.length > 0 ? file : undefined };
  });
  if (outputs.filter(({ file }) => file === undefined).length > 1)
    throw new Error("--output: only one report can go to standard output");
  return outputs;
}

/** A file that must not be overwritten, and the option that names it. */
export interface Kept {
  readonly option: string;
  readonly file: string;
}

/**
 * Checks that reports overwrite neither each other nor a file that is needed, and removes reports of an earlier run, so that they
 * are not taken for new ones if this audit fails.
 * @throws Error that names the option
 */
export async function clearPlaces(outputs: readonly Output[], kept: readonly Kept[]): Promise<void> {
  const taken = new Map<string, string>();
  for (const { option, file } of kept) taken.set(await placeOf(file), `is the file of ${option}`);
  for (const { format, file } of outputs) {
    if (file === undefined) continue;
    const place = await placeOf(file);
    const why = taken.get(place);
    if (why !== undefined) throw new Error(`--output ${format}=${file}: ${why}`);
    taken.set(place, "is the file of another report");
  }
  for (const { file } of outputs) if (file !== undefined) await removeFile(file);
}

/**
 * Removes the reports that the arguments name, also if the arguments are invalid, so that no report of an earlier run remains.
 */
export async function removeReports(wanted: readonly string[], kept: readonly Kept[]): Promise<void> {
  const needed = new Set(await Promise.all(kept.map(({ file }) => placeOf(file))));
  for (const text of wanted) {
    const [name, ...rest] = text.split("=");
    const file = rest.join("=");
    if (file === "" || !reportFormats.some((format) => format === name)) continue;
    if (!needed.has(await placeOf(file))) await removeFile(file);
  }
}

/** Writes every report. Standard output is last, so that the files exist when somebody reads it. */
export async function writeReports(
  result: AuditResult,
  outputs: readonly Output[],
  location: string,
  io: Io,
): Promise<void> {
  const plain: ReportOptions = { columns: undefined, colours: false, location };
  await writeFiles(
    outputs.flatMap(({ format, file }) =>
      file === undefined ? [] : [{ file, pieces: reports[format](result, plain), label: `--output ${format}=${file}` }],
    ),
  );
  const shown = outputs.find(({ file }) => file === undefined);
  if (!shown) return io.warn(verdict(result));
  // GitHub reads annotations from the output of a step, and the summary from a file that it names.
  const { GITHUB_STEP_SUMMARY: summary } = io.env;
  if (shown.format === "github" && summary) {
    await appendFile(summary, [...reports.markdown(result, plain)].join(""));
  }
  const { columns, colours } = io;
  for (const lines of wholeLines(reports[shown.format](result, { columns, colours, location }))) io.print(lines);
}
