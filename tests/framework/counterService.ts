import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Host } from "../../framework/host";
import type { Tell } from "../../framework/lifecycle";
import { toy } from "./toy";

export const password = "password-of-the-account";

/** The service that the toy is a provider for: creates can be carried out without a response, or without telling the key. */
export async function startCounterService() {
  const counters = new Map<string, { readonly start: number; readonly label?: string }>();
  const calls: string[] = [];
  const service = {
    address: "",
    counters,
    calls,
    losesResponses: false,
    keepsKeys: false,
    [Symbol.asyncDispose]: async () => {},
  };
  const server = createServer(async (request, response) => {
    const id = request.url?.slice(1) || `c${counters.size + 1}`;
    const body = await text(request);
    calls.push(`${request.method} ${id}`);
    if (request.headers.authorization !== password) return void response.writeHead(401).end();
    const { start, label } = body === "" ? ({} as never) : JSON.parse(body);
    if (request.method === "POST" || request.method === "PUT") counters.set(id, { start, label });
    const live = counters.get(id);
    if (request.method === "DELETE") counters.delete(id);
    if (request.method === "POST" && service.losesResponses) return void request.socket.destroy();
    if (!live) return void response.writeHead(404).end();
    const secretKey = request.method === "POST" && !service.keepsKeys ? { secretKey: `key-of-${id}` } : {};
    response.setHeader("connection", "close").end(JSON.stringify({ id, ...live, ...secretKey }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  service.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service[Symbol.asyncDispose] = async () => {
    server.closeAllConnections();
    server.close();
  };
  return service;
}

export type CounterService = Awaited<ReturnType<typeof startCounterService>>;

/** A process of the toy that works with a service. */
export function openToy({ address }: CounterService, tell: Tell) {
  const host = new Host(toy.connect, tell);
  const settings: Readonly<Record<string, string>> = { "toy:address": address, "toy:password": password };
  host.configure({ get: (key) => settings[key] });
  return host;
}
