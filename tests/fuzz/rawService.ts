import { createServer, type Socket } from "node:net";
import { listen } from "../support/service";

/** A service that answers every request with the same bytes and then ends the connection. */
export interface RawService extends AsyncDisposable {
  readonly url: string;
  /** The next response. */
  answer: Uint8Array;
  /** The request lines that arrived since `forget`. */
  readonly targets: string[];
}

/** Bytes rather than an HTTP server's answers: that would refuse to write many of them. */
export async function startRawService(): Promise<RawService> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // The client may hang up as soon as it has seen enough.
    socket.on("error", () => socket.destroy());
    let head = "";
    let missing: number | undefined;
    socket.on("data", (chunk) => {
      head += chunk.toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      missing ??= Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (head.length < end + 4 + missing) return;
      service.targets.push(head.slice(0, head.indexOf("\r\n")));
      [head, missing] = ["", undefined];
      socket.end(service.answer);
    });
  });
  const port = await listen(server);
  const service: RawService = {
    url: `http://127.0.0.1:${port}`,
    answer: new Uint8Array(),
    targets: [],
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return service;
}
