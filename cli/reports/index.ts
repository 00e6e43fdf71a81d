import type { reportFormats } from "../manuals/audit";
import { html } from "./html/report";
import { json } from "./json";
import { junit } from "./junit";
import { markdown } from "./markdown";
import type { Report } from "./report";
import { sarif } from "./sarif";
import { table } from "./table";

export type { Report, ReportOptions } from "./report";

/** The renderers of the formats of `--output`. */
export const reports = { table, json, markdown, sarif, junit, html } as const satisfies Record<
  (typeof reportFormats)[number],
  Report
>;

export type ReportFormat = keyof typeof reports;
