import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A token as the model of the service keeps it. */
export interface LiveToken {
  readonly id: string;
  readonly account: string;
  readonly secret: string;
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A create that reached the service. */
interface ReceivedCreate {
  readonly account: string;
  readonly name: string;
  /** A refusal that says for sure that nothing was done. */
  refused: boolean;
  id: string | undefined;
  /** The token was deleted, and afterwards a read or a list said so. */
  undone: boolean;
}

/** What happens to a request: `before` and `after` tell whether it is carried out. */
export type Fault =
  | "none"
  | "reset before"
  | "reset after"
  | "error before"
  | "error after"
  | "too many"
  | "page before"
  | "page after"
  | "cut after"
  | "hidden";

/** A model of the service for one history: accounts, tokens, and a judge of what is asked of it. */
export class World {
  readonly live = new Map<string, LiveToken>();
  /** Everything that was ever minted, revoked or not. */
  readonly secrets: string[] = [];
  readonly violations: string[] = [];
  /** Ids that may be deleted by those who hold the credential: what a state manages. */
  isManaged: (id: string) => boolean = () => false;
  /** Decides each request's fault. */
  nextFault: (method: string) => Fault = () => "none";
  /** Requests of a process that is dead reach nobody. */
  isCutOff = false;
  #creates: ReceivedCreate[] = [];
  #count = 0;
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** By whoever has another access to the service. */
  mint(account: string, fields: Readonly<Record<string, unknown>>): LiveToken {
    this.#count += 1;
    const id = `t${this.#count}`;
    const secret = `xaat-${this.#seed.toString(16).padStart(8, "0")}-${String(this.#count).padStart(6, "0")}-canary`;
    const token = { id, account, secret, name: String(fields.name), fields };
    this.live.set(id, token);
    this.secrets.push(secret);
    return token;
  }

  remove(id: string): void {
    this.live.delete(id);
  }

  /** One request; undefined: the connection ends without an answer. */
  serve(method: string, path: string, account: string | undefined, body: string): Served | undefined {
    if (this.isCutOff) return undefined;
    const fault = this.nextFault(method);
    if (fault === "too many") {
      if (method === "POST") this.#received(account, body).refused = true;
      return json(429, { message: "rate limit exceeded" });
    }
    const received = method === "POST" ? this.#received(account, body) : undefined;
    if (fault.endsWith("before")) return lost(fault, undefined);
    if (account === undefined) {
      if (received) received.refused = true;
      return json(401, { message: "no such credential" });
    }
    const answer = this.#carryOut(method, path, account, body, received, fault === "hidden");
    return fault === "none" || fault === "hidden" ? answer : lost(fault, answer);
  }

  #received(account: string | undefined, body: string): ReceivedCreate {
    const { name } = JSON.parse(body) as { name: string };
    const before = this.#creates.filter((one) => one.name === name && one.account === account);
    if (before.some((one) => !one.refused && !one.undone)) this.violations.push(`a create of "${name}" was sent again`);
    const create: ReceivedCreate = { account: account ?? "", name, refused: false, id: undefined, undone: false };
    this.#creates.push(create);
    return create;
  }

  #carryOut(
    method: string,
    path: string,
    account: string,
    body: string,
    received: ReceivedCreate | undefined,
    hidesNewest: boolean,
  ): Served {
    const own = [...this.live.values()].filter((token) => token.account === account);
    if (method === "POST") {
      const token = this.mint(account, JSON.parse(body));
      if (received) received.id = token.id;
      return json(200, { ...token.fields, id: token.id, token: token.secret });
    }
    const id = path.split("/")[3];
    if (id === undefined) {
      const shown = hidesNewest ? own.slice(0, -1) : own;
      this.#confirm((one) => one.account === account && !shown.some((token) => token.id === one.id));
      return json(200, shown.map(withoutSecret));
    }
    const token = own.find((one) => one.id === id);
    if (!token) {
      this.#confirm((one) => one.account === account && one.id === id);
      return json(404, { message: "not found" });
    }
    if (method === "GET") return json(200, withoutSecret(token));
    if (!this.isManaged(id)) this.violations.push(`a token that nobody manages here was deleted: ${id} of ${account}`);
    this.live.delete(id);
    return { status: 204, body: "", type: undefined };
  }

  #confirm(isShownGone: (one: ReceivedCreate) => boolean): void {
    for (const one of this.#creates) {
      if (one.id !== undefined && !this.live.has(one.id) && isShownGone(one)) one.undone = true;
    }
  }
}

export interface Served {
  readonly status: number;
  readonly body: string;
  readonly type: string | undefined;
  /** Only half of the body arrives. */
  readonly isCut?: boolean;
}

const json = (status: number, body: unknown): Served => ({
  status,
  body: JSON.stringify(body),
  type: "application/json",
});

const withoutSecret = ({ id, fields }: LiveToken) => ({ ...fields, id });

function lost(fault: Fault, answer: Served | undefined): Served | undefined {
  const [kind] = fault.split(" ");
  if (kind === "error") return json(502, { message: "bad gateway" });
  if (kind === "page") return { status: 200, body: "<!doctype html>", type: "text/html" };
  return kind === "cut" && answer?.body ? { ...answer, isCut: true } : undefined;
}

/** One server for all histories, each under an address of its own: "/h17/v2/tokens". */
export interface Worlds extends AsyncDisposable {
  addressOf(world: World): string;
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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const names = new Map<World, string>();
  return {
    addressOf(world) {
      const name = names.get(world) ?? `h${count++}`;
      names.set(world, name);
      worlds.set(name, world);
      return `http://127.0.0.1:${port}/${name}`;
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
  const [, name = "", ...rest] = url.split("/");
  const credential = (headers.authorization ?? "").replace("Bearer ", "");
  const served = worlds.get(name)?.serve(method, `/${rest.join("/")}`, accountOf(credential), body);
  if (!served) return void socket.resetAndDestroy();
  const length = served.isCut ? { "content-length": String(served.body.length) } : {};
  response.writeHead(served.status, { ...(served.type ? { "content-type": served.type } : {}), ...length });
  if (served.isCut) response.write(served.body.slice(0, served.body.length / 2), () => socket.destroy());
  else response.end(served.body);
}
