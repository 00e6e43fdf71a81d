import { createServer } from "node:http";
import { EventDatasets } from "../../sdk";
import { listen } from "../support/service";

// Counts the effects of load on the client. Clocks are simulated, so the results are the same on every machine.

/** A clock that only waits move, and only while no request is on its way: minutes pass at once. */
export class Clock {
  time = Date.parse("2026-11-21T12:00:00Z");
  readonly waits: number[] = [];
  #underWay = 0;

  readonly now = () => this.time;

  readonly sleep = async (ms: number, signal?: AbortSignal) => {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.#underWay > 0);
    signal?.throwIfAborted();
    this.waits.push(ms);
    this.time += ms;
  };

  /** For the client: counts its requests that are under way. */
  readonly watch = () => {
    this.#underWay += 1;
    return () => {
      this.#underWay -= 1;
    };
  };
}

export const limitKinds = [
  "fixed window",
  "sliding window",
  "Retry-After, seconds",
  "Retry-After, date",
  "no header",
] as const;

interface Window {
  /** The requests that pass. */
  readonly most?: number;
  /** In milliseconds. */
  readonly window?: number;
}

/** Whether one more request may pass, by default at most 100 a minute, and the headers that say when. */
function limiter(kind: (typeof limitKinds)[number], clock: Clock, { most = 100, window = 60_000 }: Window = {}) {
  let passed: number[] = [];
  return () => {
    const start = kind === "sliding window" ? clock.time - window : Math.floor(clock.time / window) * window;
    passed = passed.filter((at) => (kind === "sliding window" ? at > start : at >= start));
    const passes = passed.length < most;
    if (passes) passed.push(clock.time);
    const frees = kind === "sliding window" ? (passed[0] ?? clock.time) + window : start + window;
    const after = Math.max(1, Math.ceil((frees - clock.time) / 1000));
    const headers: Record<string, string> = { date: new Date(clock.time).toUTCString() };
    if (kind === "fixed window") {
      headers["x-ratelimit-limit"] = String(most);
      headers["x-ratelimit-remaining"] = String(most - passed.length);
      headers["x-ratelimit-reset"] = String(Math.ceil(frees / 1000));
    } else if (!passes && kind !== "no header") {
      headers["retry-after"] =
        kind === "Retry-After, date" ? new Date(clock.time + after * 1000).toUTCString() : String(after);
    }
    return { passes, headers };
  };
}

interface Settings {
  readonly limit?: ReturnType<typeof limiter>;
  /** Whether a connection breaks before or after a request is carried out. */
  readonly fault?: () => "before" | "after" | undefined;
}

/** A service of tokens with a rate limit and connections that fail. */
async function startTokens({ limit, fault }: Settings) {
  const live = new Map<string, { readonly id: string }>();
  const seen = { requests: 0, made: 0, open: 0 };
  const carryOut = (method = "", url = "", body = "") => {
    const id = url.split("/")[3] ?? "";
    if (method === "POST") {
      seen.made += 1;
      const token = { ...JSON.parse(body), id: `t${seen.made}` };
      live.set(token.id, token);
      return { status: 200, json: { ...token, token: `xaat-${token.id}` } };
    }
    if (id === "") return { status: 200, json: [...live.values()] };
    const found = live.get(id);
    if (found && method === "DELETE") live.delete(id);
    return found ? { status: 200, json: found } : { status: 404, json: { message: "not found" } };
  };
  const server = createServer(async (request, response) => {
    seen.requests += 1;
    let body = "";
    for await (const chunk of request) body += chunk;
    const { passes, headers } = limit?.() ?? { passes: true, headers: {} };
    const answer = (status: number, json: unknown) => {
      response.writeHead(status, { ...headers, "content-type": "application/json" });
      response.end(JSON.stringify(json));
    };
    if (!passes) return answer(429, { message: "rate limit exceeded" });
    const broken = fault?.();
    if (broken === "before") return request.socket.resetAndDestroy();
    const { status, json } = carryOut(request.method, request.url, body);
    if (broken === "after") return request.socket.resetAndDestroy();
    answer(status, json);
  });
  server.on("connection", (socket) => {
    seen.open += 1;
    socket.on("close", () => (seen.open -= 1));
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, live, seen, [Symbol.asyncDispose]: stop };
}

/** Many creates where few in each window get through, by default all at once. */
export async function storm(
  kind: (typeof limitKinds)[number],
  calls: number,
  { atOnce = calls, ...limits }: Window & { readonly atOnce?: number } = {},
) {
  const clock = new Clock();
  await using service = await startTokens({ limit: limiter(kind, clock, limits) });
  const { now, sleep, watch } = clock;
  const lines: string[] = [];
  const inform = (line: string) => lines.push(line);
  await using client = new EventDatasets({ baseUrl: service.url, accessToken: "xaat-load", now, sleep, watch, inform });
  const order: number[] = [];
  const one = async (n: number) => {
    await client.tokens.create({ name: `t${n}` });
    order.push(n);
  };
  let next = 0;
  const work = async () => {
    while (next < calls) await one(next++).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return {
    failed: calls - order.length,
    doubled: service.seen.made - order.length,
    amplification: service.seen.requests / calls,
    // How many later ones each was overtaken by, at the most: none waits while others go on passing it.
    overtaken: Math.max(0, ...order.map((n, place) => place - n)),
    /** Milliseconds. */
    waited: clock.waits.reduce((sum, ms) => sum + ms, 0),
    /** The lines that the user is told. */
    lines,
  };
}

/** A call a second over one client. */
export async function soak(calls: number) {
  const clock = new Clock();
  await using service = await startTokens({ limit: limiter("fixed window", clock) });
  const { now, sleep, watch } = clock;
  await using client = new EventDatasets({ baseUrl: service.url, accessToken: "xaat-load", now, sleep, watch });
  let mostOpen = 0;
  await client.tokens.create({ name: "t" });
  for (let call = 0; call < calls; call++) {
    clock.time += 1000;
    await client.tokens.get("t1");
    mostOpen = Math.max(mostOpen, service.seen.open);
  }
  return { requests: service.seen.requests, mostOpen };
}

type Create = (client: EventDatasets, name: string) => Promise<{ id: string; lost: boolean } | undefined>;

/**
 * How many updates it takes until all tokens are there, where every twentieth connection breaks: tokens that failed are created again
 * by the next update, and tokens whose secret was lost are replaced.
 * @param create one token, as the lifecycle makes it; undefined if it is not tracked
 */
export async function rounds(create: Create, lost: "before" | "after") {
  let requests = 0;
  await using service = await startTokens({ fault: () => (requests++ % 20 === 7 ? lost : undefined) });
  const options = { baseUrl: service.url, accessToken: "xaat-load", sleep: async () => undefined };
  await using client = new EventDatasets(options);
  let missing = Array.from({ length: 100 }, (_, n) => n);
  let updates = 0;
  const tracked = new Set<string>();
  for (; missing.length > 0 && updates < 20; updates++) {
    const next: number[] = [];
    for (const n of missing) {
      const made = await create(client, `t${n}-${updates.toString(16).padStart(7, "0")}`);
      if (made) tracked.add(made.id);
      if (!made || made.lost) next.push(n);
    }
    missing = next;
  }
  const untracked = [...service.live.keys()].filter((id) => !tracked.has(id)).length;
  return { updates, missing: missing.length, untracked };
}
