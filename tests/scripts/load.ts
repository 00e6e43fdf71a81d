import { EventDatasets } from "../../sdk";
import { type Behaviour, hangUp, json, startService } from "../support/service";

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
  let made = 0;
  const carryOut = ([method, path = ""]: readonly string[], body: string): Behaviour => {
    const id = path.split("/")[3] ?? "";
    if (method === "POST") {
      made += 1;
      const token = { ...JSON.parse(body), id: `t${made}` };
      live.set(token.id, token);
      return json(200, { ...token, token: `xaat-${token.id}` });
    }
    if (id === "") return json(200, [...live.values()]);
    const found = live.get(id);
    if (found && method === "DELETE") live.delete(id);
    return found ? json(200, found) : json(404, { message: "not found" });
  };
  const service = await startService((response, request, socket) => {
    const { passes, headers } = limit?.() ?? { passes: true, headers: {} };
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const broken = passes ? fault?.() : undefined;
    const usual = () => carryOut(request.call.split(" "), request.body);
    const answer = !passes ? json(429, { message: "rate limit exceeded" }) : broken === "before" ? hangUp : usual();
    return (broken === "after" ? hangUp : answer)(response, request, socket);
  });
  return Object.assign(service, { live, made: () => made });
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
    doubled: service.made() - order.length,
    amplification: service.requests.length / calls,
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
  await client.tokens.create({ name: "t" });
  for (let call = 0; call < calls; call++) {
    clock.time += 1000;
    await client.tokens.get("t1");
  }
  return { requests: service.requests.length, connections: new Set(service.requests.map(({ port }) => port)).size };
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
