import { type AddressInfo, createServer } from "node:net";
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

/** A port on which nothing listens: it was just given up. */
export async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
