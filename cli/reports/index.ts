import { json, ndjson } from "./json";
import type { Report } from "./report";
import { table } from "./table";

export type { Report, ReportOptions } from "./report";

/** Every format of `--output`. */
export const reports = { table, json, ndjson } as const satisfies Record<string, Report>;

export type ReportFormat = keyof typeof reports;

export const reportFormats = Object.keys(reports) as ReportFormat[];
