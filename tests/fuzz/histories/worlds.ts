import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { defined } from "../../../values/defined";
import { listen } from "../../support/listen";
import type { World } from "./world";

/** One server for all histories, each stack of each under an address of its own: "/h17/one/v2/tokens". */
export interface Worlds extends AsyncDisposable {
  addressOf(world: World, stack: string): string;
  forget(world: World): void;
}

export async function serveWorlds(accountOf: (credential: string) => string | undefined): Promise<Worlds> {
  const worlds = new Map<string, World>();
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => answer(worlds, accountOf, request, response, Buffer.concat(chunks).toString()));
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
  });
  const port = await listen(server);
  const names = new Map<World, string>();
  return {
    addressOf(world, stack) {
      const name = names.get(world) ?? `h${count++}`;
      names.set(world, name);
      worlds.set(name, world);
      return `http://127.0.0.1:${port}/${name}/${stack}`;
    },
    forget(world) {
      worlds.delete(names.get(world) ?? "");
      names.delete(world);
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function answer(
  worlds: ReadonlyMap<string, World>,
  accountOf: (credential: string) => string | undefined,
  { method = "", url = "", headers, socket }: IncomingMessage,
  response: ServerResponse,
  body: string,
): void {
  const [, name = "", stack = "", ...rest] = url.split("/");
  const credential = (headers.authorization ?? "").replace("Bearer ", "");
  const world = worlds.get(name);
  const account = accountOf(credential) ?? world?.accountOf(credential);
  const served = world?.serve(stack, method, `/${rest.join("/")}`, account, body);
  if (!served) return void socket.resetAndDestroy();
  const length = served.isCut ? { "content-length": String(served.body.length) } : {};
  const date = world?.now.toUTCString();
  response.writeHead(served.status, defined({ date, "content-type": served.type, ...length }));
  if (served.isCut) response.write(served.body.slice(0, served.body.length / 2), () => socket.destroy());
  else response.end(served.body);
}
