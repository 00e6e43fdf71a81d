import { databaseMemoryMB, QueryError } from "../apl/errors";
import type { Job } from "./jobs";
import type { End } from "./workerProcess";

export const timeError = (job: Job, timeoutMs: number): QueryError =>
  new QueryError("limit", `${describeStop(job)} it took longer than ${timeoutMs / 1000} s (serve --query-timeout)`);

export function memoryError(job: Job, memoryBytes: number, end: End): QueryError {
  const limit = `${Math.floor(memoryBytes / 1024 / 1024)} MiB`;
  const why =
    end.kind === "memory" ? `it took more than ${limit} of memory` : `its process failed: ${describeEnd(end)}`;
  return new QueryError("limit", `${describeStop(job)} ${why}`);
}

export const databaseMemoryError = (job: Job): QueryError =>
  new QueryError("limit", `${describeStop(job)} the database took more than ${databaseMemoryMB} MB of memory`);

export const cancelledError = () => new QueryError("cancelled", "the query was cancelled");

export const closedError = () => new QueryError("unavailable", "the datasets are closed");

export const startError = (end: End) =>
  new QueryError("unavailable", `the datasets cannot be opened: ${describeEnd(end)}`);

const describeStop = ({ name }: Job): string => {
  if (name === "apl" || name === "legacy") return "the query was stopped because";
  return name === "load"
    ? "loading was stopped because"
    : "the ingest was stopped, and some of its events may be stored, because";
};

const describeEnd = (end: End): string => (end.kind === "memory" ? "it took too much memory" : end.how);
