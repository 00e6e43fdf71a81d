import { createServer, request } from "node:http";
import type { Emulator } from "../../emulator";
import { listen } from "./listen";

/** One address that several accounts share. */
export interface SharedAddress extends AsyncDisposable {
  readonly url: string;
}

/**
 * Serves several accounts under one address, as the public service does: whose a request is says its credential alone.
 * @param accounts the service that holds the account of a credential; undefined for one that nobody has
 */
export async function shareAddress(accounts: (credential: string) => Emulator | undefined): Promise<SharedAddress> {
  const server = createServer((incoming, answer) => {
    const credential = /^Bearer (.+)$/.exec(incoming.headers.authorization ?? "")?.[1] ?? "";
    const account = accounts(credential);
    if (!account) {
      answer.writeHead(401, { "content-type": "application/json" }).end("{}");
      return;
    }
    const { hostname, port } = new URL(account.url);
    const { method, url: path, headers } = incoming;
    const passed = request({ hostname, port, path, method, headers, agent: false }, (its) => {
      answer.writeHead(its.statusCode ?? 502, its.headers);
      its.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    incoming.pipe(passed);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
