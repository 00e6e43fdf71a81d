import { createServer } from "node:http";
import { expect, test } from "@jest/globals";
import { isPartialCreate } from "../../framework/lifecycle";
import { apiToken } from "../../provider/apiToken/lifecycle";
import { EventDatasets } from "../../sdk";
import { listen } from "../support/service";
import { sessionOf } from "../support/session";

// Counts the effects of load on the client. Clocks are simulated, so the results are the same on every machine.

/** A clock that only waits move, and only while no request is on its way: minutes pass at once. */
class Clock {
  time = Date.parse("2026-11-21T12:00:00Z");
  #underWay = 0;

  readonly now = () => this.time;

  readonly sleep = async (ms: number, signal?: AbortSignal) => {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.#underWay > 0);
    signal?.throwIfAborted();
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

const limitKinds = [
  "fixed window",
  "sliding window",
  "Retry-After, seconds",
  "Retry-After, date",
  "no header",
] as const;

const most = 100;
const window = 60_000;

/** Whether one more request may pass, at most 100 a minute, and the headers that say when. */
function limiter(kind: (typeof limitKinds)[number], clock: Clock) {
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
  const seen = { requests: 0, made: 0 };
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
  const url = `http://127.0.0.1:${await listen(server)}`;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, live, seen, [Symbol.asyncDispose]: stop };
}

/** Many creates at once where few a minute get through. */
async function storm(kind: (typeof limitKinds)[number], calls: number) {
  const clock = new Clock();
  await using service = await startTokens({ limit: limiter(kind, clock) });
  const { now, sleep, watch } = clock;
  await using client = new EventDatasets({ baseUrl: service.url, accessToken: "xaat-load", now, sleep, watch });
  const order: number[] = [];
  const one = async (n: number) => {
    await client.tokens.create({ name: `t${n}` });
    order.push(n);
  };
  const ended = await Promise.allSettled(Array.from({ length: calls }, (_, n) => one(n)));
  return {
    failed: ended.filter(({ status }) => status === "rejected").length,
    doubled: service.seen.made - order.length,
    amplification: service.seen.requests / calls,
    // How many later ones each was overtaken by, at the most: none waits while others go on passing it.
    overtaken: Math.max(0, ...order.map((n, place) => place - n)),
  };
}

/** One create of the lifecycle with a generated name. */
async function create(client: EventDatasets, name: string): Promise<{ id: string; lost: boolean } | undefined> {
  try {
    const { id } = await apiToken.create(sessionOf(client), { key: name.slice(0, -8), name });
    return { id, lost: false };
  } catch (failure) {
    return isPartialCreate(failure) ? { id: failure.id, lost: true } : undefined;
  }
}

/**
 * How many updates it takes until all tokens are there, where every twentieth connection breaks: tokens that failed are created again
 * by the next update, and tokens whose secret was lost are replaced.
 */
async function rounds(profile: "documented" | "extended", lost: "before" | "after") {
  let requests = 0;
  await using service = await startTokens({ fault: () => (requests++ % 20 === 7 ? lost : undefined) });
  const options = { baseUrl: service.url, accessToken: "xaat-load", profile, sleep: async () => undefined };
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

test.each(limitKinds)(
  "a storm of creates against a rate limit (%s) ends with all of them, once each, and hardly more requests",
  async (kind) => {
    const { amplification, overtaken, ...rest } = await storm(kind, 1_000);
    expect(rest).toEqual({ failed: 0, doubled: 0 });
    // Refused requests go first, so none starves.
    expect(overtaken).toBeLessThanOrEqual(100);
    expect(amplification).toBeLessThanOrEqual(1.05);
  },
);

test.each(["documented", "extended"] as const)(
  "where connections break, the next updates make what is missing, and every token that is live is tracked (%s)",
  async (profile) => {
    for (const lost of ["before", "after"] as const) {
      const { updates, missing, untracked } = await rounds(profile, lost);
      expect({ missing, untracked }).toEqual({ missing: 0, untracked: 0 });
      // A create is sent once, so what was lost is created by the next update.
      expect(updates).toBeLessThanOrEqual(3);
    }
  },
);
