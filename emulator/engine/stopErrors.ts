import { databaseMemoryMB, isDiskFull, isOutOfMemory, isQueryError, QueryError } from "../apl/errors";
import type { Job } from "./jobs";
import { type End, memoryEnd } from "./workerProcess";

export const timeError = (job: Job, timeoutMs: number): QueryError =>
  new QueryError("limit", `${describeStop(job)} it took longer than ${timeoutMs / 1000} s (--query-timeout)`);

export function memoryError(job: Job, memoryBytes: number, end: End): QueryError {
  const limit = `${Math.floor(memoryBytes / 1024 / 1024)} MiB`;
  const why = end === memoryEnd ? `it took more than ${limit} of memory` : `its process failed: ${end}`;
  return new QueryError("limit", `${describeStop(job)} ${why}`);
}

const databaseMemoryError = (job: Job): QueryError =>
  new QueryError("limit", `${describeStop(job)} the database took more than ${databaseMemoryMB} MB of memory`);

/** Whether DuckDB refuses every later call after this failure, for example after a failed checkpoint on a full disk. */
export const isBroken = (failure: unknown): boolean =>
  !isQueryError(failure) && /\b(FATAL|INTERNAL) Error\b|database has been invalidated/.test(String(failure));

export const brokenError = (job: Job, failure: unknown): QueryError =>
  new QueryError("limit", `${describeStop(job)} ${isDiskFull(failure) ? "the disk is full" : "the database failed"}`);

/** The error for the caller of a job that failed. */
export function explainJobFailure(job: Job, failure: unknown): unknown {
  if (isOutOfMemory(failure)) return databaseMemoryError(job);
  return isDiskFull(failure) ? new QueryError("limit", `${describeStop(job)} the disk is full`) : failure;
}

export const cancelledError = () => new QueryError("cancelled", "the query was cancelled");

export const closedError = () => new QueryError("unavailable", "the datasets are closed");

export const startError = (end: End) =>
  new QueryError(
    "unavailable",
    `the datasets cannot be opened: ${end === memoryEnd ? "this took too much memory" : end}`,
  );

/** A full disk always counts as a limit, so that a caller may try again. */
export function openError(failure: unknown): unknown {
  if (isQueryError(failure)) return failure;
  if (isDiskFull(failure)) return new QueryError("limit", "the datasets cannot be opened: the disk is full");
  return new QueryError("unavailable", "the datasets cannot be opened", undefined, { cause: failure });
}

const describeStop = ({ name }: Job): string => {
  if (name === "apl" || name === "legacy") return "the query was stopped because";
  if (name === "ingest") return "the ingest was stopped, and some of its events may be stored, because";
  return name === "load" ? "loading was stopped because" : `${name} was stopped because`;
};
