import type { QueryError, QueryErrorKind } from "./apl/errors";
import { HttpError } from "./httpError";

/**
 * The status of each kind of error, and its `errorType`. The service's are integers from 1 to 4, whose meaning is not public (public API
 * reference); a place belongs to compile errors. A limit is not 408: clients retry a 408, and the query would take as long again.
 */
const refusals: Readonly<Record<QueryErrorKind, { readonly status: number; readonly errorType?: number }>> = {
  syntax: { status: 400, errorType: 1 },
  unsupported: { status: 400, errorType: 1 },
  semantic: { status: 400, errorType: 1 },
  field: { status: 400, errorType: 1 },
  data: { status: 400, errorType: 2 },
  limit: { status: 422, errorType: 3 },
  "not-found": { status: 404 },
  forbidden: { status: 403 },
  cancelled: { status: 499 }, // nobody is there to read it
  unavailable: { status: 501 },
};

/** Turns a query error into a refusal that names the place in the query. */
export function refusalOf({ kind, reason, line, column, message }: QueryError): HttpError {
  const { status, errorType } = refusals[kind];
  const place = line === undefined ? {} : { line, column };
  // The service's message for a field is exactly this.
  const text = kind === "field" ? reason : message;
  const detail = errorType === undefined ? undefined : { message: reason, ...place, errorType };
  return new HttpError(status, text, {}, detail);
}
