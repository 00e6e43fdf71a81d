import type { AuditResult } from "../../audit";
import type { Printable } from "../text";

/** What a report may know beside the result. */
export interface ReportOptions {
  /** Characters a line of the terminal has; undefined: the report goes elsewhere. */
  readonly columns: number | undefined;
  readonly colours: boolean;
  /** A file of the repository for reports that must name one: the project's. A relative path with slashes. */
  readonly location: string;
}

/** Renders a result, piece by piece: a long report need not fit into memory at once. Pieces end lines as they like. */
export type Report = (result: AuditResult, options: ReportOptions) => Iterable<Printable>;
