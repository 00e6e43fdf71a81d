import { isQueryError, QueryError } from "../errors";

/** A mistake in a file, with its line. */
export const lineFault = (line: number, reason: string): QueryError =>
  new QueryError("data", `line ${line}: ${reason}`);

/** Matches the database's errors about values, not those about disks and memory. */
const aboutValues = /^(Invalid Input|Conversion|Out of Range|Mismatch Type|Parser|Binder|Serialization) Error/;

/** Whether the events are at fault, and not, for example, the disk. */
export const isAboutEvents = (failure: unknown): boolean =>
  isQueryError(failure) || aboutValues.test((failure as Error).message);

/** The reason why rows were refused, without the database's own message, which quotes values. */
export function reasonOf(failure: unknown): string {
  if (isQueryError(failure)) return failure.message;
  if ((failure as NodeJS.ErrnoException).code === "ENOENT") return "there is no such file";
  const [line = ""] = String((failure as Error).message).split("\n");
  const [, kind] = aboutValues.exec(line) ?? [];
  return kind ? `a value cannot be stored (${kind.toLowerCase()})` : line;
}

/** The failure of a load, for its caller. It does not have the original error as its cause, because that error quotes events. */
export const loadFailure = (failure: unknown, file: string): QueryError =>
  new QueryError("data", `cannot load ${file}: ${reasonOf(failure)}`);
