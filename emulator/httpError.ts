import type { JsonObject } from "./json";

/** A request that is refused. The message goes to the caller, so it never quotes a value: that may be a secret. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    /** More about it, for programs. */
    readonly detail?: JsonObject,
  ) {
    super(message);
  }
}

/** A 400 that names the field. */
export const badField = (field: string, problem: string): HttpError => new HttpError(400, `${field}: ${problem}`);

/** The same words whether the object never was or was deleted: the service does not know the difference either. */
export const notFound = (what: string): HttpError => new HttpError(404, `there is no such ${what}`);
