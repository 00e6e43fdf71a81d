import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Provider } from "../../framework/provider";
import { type Declared, type Form, type Options, Stack } from "../../framework/testing";
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

/** A stack of the toy, or of a provider that differs in its hooks, that works with a service. */
export const stackOf = ({ address }: CounterService, form: Form, provider: object = toy): Stack =>
  new Stack(provider as Provider, { form, settings: { default: { address, password } } });

/** A counter as a program declares it. */
export const counter = (args: object, options: Options = {}): Declared => ({
  type: "Counter",
  args: { ...args },
  options,
});
