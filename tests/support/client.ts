import { type ApiError, EventDatasets, type EventDatasetsOptions, isApiError } from "../../sdk";

/** The credential of every client below: none of what a test sees may show it. */
export const accessToken = "xaat-canary-5f1d0c9e";

/** A client that does not wait between attempts. */
export const connect = (url: string, options: Partial<EventDatasetsOptions> = {}): EventDatasets =>
  new EventDatasets({ baseUrl: url, accessToken, sleep: async () => undefined, ...options });

/** The error that a call fails with. */
export async function failure(call: Promise<unknown>): Promise<ApiError> {
  try {
    await call;
  } catch (e) {
    if (isApiError(e)) return e;
    throw e;
  }
  throw new Error("the call succeeded");
}

/**
 * Where every connection is refused. A port that was just given up could be another process's by the time it is used; this
 * one is below those that are given out.
 */
export const refusedUrl = "http://127.0.0.1:1";
