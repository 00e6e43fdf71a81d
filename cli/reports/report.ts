import type { AuditResult } from "../../audit";
import type { Printable } from "../text";

/** The input of a report in addition to the result. */
export interface ReportOptions {
  /** Width of the terminal; undefined if the report goes elsewhere. */
  readonly columns: number | undefined;
  readonly colours: boolean;
  /** The project file, for formats that must name a file of the repository: a relative URI. */
  readonly location: string;
}

/** Renders a result piece by piece, so that a long report need not fit into memory. */
export type Report = (result: AuditResult, options: ReportOptions) => Iterable<Printable>;
