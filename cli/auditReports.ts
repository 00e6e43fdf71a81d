import { createWriteStream } from "node:fs";
import { appendFile, lstat, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { AuditResult } from "../audit";
import type { Io } from "./command";
import { type ReportFormat, type ReportOptions, reportFormats, reports } from "./reports";
import { verdict } from "./reports/summary";

/** One report to write. */
export interface Output {
  readonly format: ReportFormat;
  /** Undefined: standard output. */
  readonly file: string | undefined;
}

/**
 * The reports that `--output` asks for.
 * @throws Error for an unknown format, and if two reports would be mixed up in one place
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
  const places = new Set(outputs.map(({ file }) => file));
  if (places.size < outputs.length)
    throw new Error("--output: only one report can go to standard output, and one to each file");
  return outputs;
}

/** A report of an earlier run must not be taken for this one's, should this one come to none. Devices are left alone. */
export async function removeStale(outputs: readonly Output[]): Promise<void> {
  for (const { file } of outputs) {
    if (file === undefined) continue;
    const stat = await lstat(file).catch(() => undefined);
    if (stat?.isFile()) await rm(file);
  }
}

/** Writes every report. Standard output comes last, so that nobody reads it before the files are there. */
export async function writeReports(
  result: AuditResult,
  outputs: readonly Output[],
  location: string,
  io: Io,
): Promise<void> {
  const plain: ReportOptions = { columns: undefined, colours: false, location };
  for (const { format, file } of outputs) {
    if (file === undefined) continue;
    await pipeline(reports[format](result, plain), createWriteStream(file)).catch((failure: NodeJS.ErrnoException) => {
      throw new Error(`--output ${format}=${file}: cannot be written (${failure.code})`);
    });
  }
  const shown = outputs.find(({ file }) => file === undefined);
  if (!shown) return io.warn(verdict(result));
  const colours = io.columns !== undefined && !io.env.NO_COLOR;
  // GitHub reads annotations from the output of a step, and the summary from a file that it names.
  const { GITHUB_STEP_SUMMARY: summary } = io.env;
  if (shown.format === "github" && summary) {
    await appendFile(summary, [...reports.markdown(result, plain)].join(""));
  }
  printAll(reports[shown.format](result, { columns: io.columns, colours, location }), io);
}

const chunk = 64 * 1024;

/** Prints whole lines, many at a time. */
function printAll(pieces: Iterable<string>, { print }: Io): void {
  let text = "";
  for (const piece of pieces) {
    text += piece;
    if (text.length < chunk || !text.endsWith("\n")) continue;
    print(text.slice(0, -1));
    text = "";
  }
  if (text !== "") print(text.replace(/\n$/, ""));
}
