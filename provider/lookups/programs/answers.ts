import * as answers from "../../../sdk/queries/rows";
import { withPrintableFailures } from "../../../values/printable";

/**
 * The rows of an answer as plain objects: its events, or of a query that aggregates a row for each group. A second argument
 * makes of each row what you want to have.
 *
 * @example
 * ```ts
 * const services = rows(answer, ({ service }) => String(service));
 * ```
 */
export const rows = withPrintableFailures(answers.rows);

/** The totals of a query that aggregates, a row for each group; none for one that does not. */
export const totals = withPrintableFailures(answers.totals);

/**
 * The one value of an answer that has one: the value of a query with one aggregation and one group, or the one field of
 * one row.
 * @throws Error if there is not exactly one
 *
 * @example
 * ```ts
 * const failures = queryAplOutput({ apl }).apply(scalar);
 * ```
 */
export const scalar = withPrintableFailures(answers.scalar);
