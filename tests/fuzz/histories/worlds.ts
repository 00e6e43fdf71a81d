import { createServer } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { defined } from "../../../values/defined";
import { listen } from "../../support/service";
import type { World } from "./world";

/** One server for all histories, each stack of each under an address of its own: "/17/one/v2/tokens". */
export interface Worlds extends AsyncDisposable {
  open(world: World): { addressOf(stack: string): string } & Disposable;
}

export async function serveWorlds(): Promise<Worlds> {
  const worlds = new Map<string, World>();
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers, socket } = request;
    const [, number = "", by = "", ...rest] = url.split("/");
    const world = worlds.get(number);
    const credential = (headers.authorization ?? "").replace("Bearer ", "");
    const served = world?.serve({ by, method, path: `/${rest.join("/")}`, credential, body: await text(request) });
    if (!served) return void socket.resetAndDestroy();
    const { status, body, type, isCut } = served;
    const length = isCut ? { "content-length": String(body.length) } : {};
    response.writeHead(status, defined({ date: world?.now.toUTCString(), "content-type": type, ...length }));
    if (isCut) response.write(body.slice(0, body.length / 2), () => socket.destroy());
    else response.end(body);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
  });
  const port = await listen(server);
  return {
    open(world) {
      const number = String(count++);
      worlds.set(number, world);
      return {
        addressOf: (stack) => `http://127.0.0.1:${port}/${number}/${stack}`,
        [Symbol.dispose]: () => void worlds.delete(number),
      };
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
