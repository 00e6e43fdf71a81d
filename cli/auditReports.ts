import type { AuditResult } from "../audit";
import type { Io } from "./command";
import { placeOf, removeFile, writeFiles } from "./files";
import { type ReportFormat, type ReportOptions, reports } from "./reports";
import { verdict } from "./reports/words";
import { wholeLines } from "./text";

/** One report to write. */
export interface Output {
  readonly format: ReportFormat;
  /** Undefined: standard output. */
  readonly file: string | undefined;
}

/**
 * The reports that `--output` asks for.
 * @throws Error for a missing name of a file, and for two reports on standard output
 */
export function outputsOf(texts: readonly string[]): Output[] {
  const outputs = (texts.length > 0 ? texts : ["table"]).map((text) => {
    const { format, file } = splitOutput(text);
    if (file === "") throw new Error(`--output ${format}=: the name of a file is missing`);
    return { format, file };
  });
  if (outputs.filter(({ file }) => file === undefined).length > 1)
    throw new Error("--output: only one report can go to standard output");
  return outputs;
}

/** The format is a valid one: the parser of the arguments has checked it. */
function splitOutput(text: string) {
  const [, format, file] = /^(.*?)(?:=(.*))?$/s.exec(text) ?? [];
  return { format: format as ReportFormat, file };
}

/** A file that must not be overwritten, and the option that names it. */
export interface Kept {
  readonly option: string;
  readonly file: string;
}

/**
 * Checks that reports overwrite neither each other nor a file that is needed.
 * @throws Error that names the option
 */
export async function checkPlaces(outputs: readonly Output[], kept: readonly Kept[]): Promise<void> {
  const taken = new Map<string, string>();
  for (const { option, file } of kept) taken.set(await placeOf(file), `is the file of ${option}`);
  for (const { format, file } of outputs) {
    if (file === undefined) continue;
    const place = await placeOf(file);
    const why = taken.get(place);
    if (why !== undefined) throw new Error(`--output ${format}=${file}: ${why}`);
    taken.set(place, "is the file of another report");
  }
}

/** Removes the reports of an earlier run, so that they are not taken for new ones if this audit fails. */
export async function removeReports(wanted: readonly string[], kept: readonly Kept[]): Promise<void> {
  const needed = new Set(await Promise.all(kept.map(({ file }) => placeOf(file))));
  for (const text of wanted) {
    const { file } = splitOutput(text);
    if (file && !needed.has(await placeOf(file))) await removeFile(file);
  }
}

/** Writes every report, or none. Standard output is last, so that the files exist when somebody reads it. */
export async function writeReports(
  result: AuditResult,
  outputs: readonly Output[],
  location: string,
  io: Io,
): Promise<void> {
  const plain: ReportOptions = { columns: undefined, colours: false, location };
  const drafts = outputs.flatMap(({ format, file }) =>
    file === undefined ? [] : [{ file, pieces: reports[format](result, plain), label: `--output ${format}=${file}` }],
  );
  await writeFiles(drafts);
  const { columns, colours } = io;
  const shown = outputs.find(({ file }) => file === undefined);
  if (!shown) return io.warn(verdict(result));
  for (const lines of wholeLines(reports[shown.format](result, { ...plain, columns, colours }))) io.print(lines);
  await io.flush().catch(async (failure: Error) => {
    for (const { file } of drafts) await removeFile(file);
    throw failure;
  });
}
