import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Host } from "../../framework/host";
import type { Tell } from "../../framework/lifecycle";
import { toy } from "./toy";

export const password = "password-of-the-account";

interface Counter {
  readonly start: number;
  readonly label?: string;
}

/** The service that the toy is a provider for: creates can be carried out without a response, or without telling the key. */
export async function startCounterService() {
  const counters = new Map<string, Counter>();
  const calls: string[] = [];
  const service = {
    address: "",
    counters,
    calls,
    losesResponses: false,
    keepsKeys: false,
    /** The id of a new counter. */
    nameNext: (_created: { readonly key: string }) => `c${counters.size + 1}`,
    /** Whether a request about a counter fails with status 500, and whether the response to a create is without its key. */
    refuses: (_method: string, _counter: Counter) => false,
    isKeyless: (_counter: Counter) => false,
    [Symbol.asyncDispose]: async () => {},
  };
  const server = createServer(async (request, response) => {
    const { method = "" } = request;
    const body = await text(request);
    const sent = body === "" ? undefined : JSON.parse(body);
    const id = request.url?.slice(1) || service.nameNext(sent);
    calls.push(`${method} ${id}`);
    if (request.headers.authorization !== password) return void response.writeHead(401).end();
    const about = sent ?? counters.get(id);
    if (about && service.refuses(method, about)) return void response.writeHead(500, { connection: "close" }).end();
    if (method === "POST" || method === "PUT") counters.set(id, { start: sent.start, label: sent.label });
    const live = counters.get(id);
    if (method === "DELETE") counters.delete(id);
    if (method === "POST" && service.losesResponses) return void request.socket.destroy();
    if (!live) return void response.writeHead(404).end();
    const isKeyless = service.keepsKeys || service.isKeyless(live);
    const secretKey = method === "POST" && !isKeyless ? { secretKey: `key-of-${id}` } : {};
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
