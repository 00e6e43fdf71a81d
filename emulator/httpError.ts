import type { JsonObject } from "./json";

/** A refused request. The caller sees the message, so it never quotes a value, which may be a secret. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    /** More details, for programs. */
    readonly detail?: JsonObject,
  ) {
    super(message);
  }
}

/** A 400 that names the field. */
export const badField = (field: string, problem: string): HttpError => new HttpError(400, `${field}: ${problem}`);

/** The same message for an object that was deleted and one that never existed, as in the service. */
export const notFound = (what: string): HttpError => new HttpError(404, `there is no such ${what}`);
