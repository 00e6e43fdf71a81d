// @ts-check
// Counts the effects of load on the client. Clocks are simulated, so the results are the same on every machine.
import { Clock, limiter, startTokens } from "./service.mjs";

/** @typedef {any} Client @typedef {new (options: any) => any} ClientClass the client's class, of the sources or of the package */

/** @type {readonly import("./service.mjs").LimitKind[]} */
export const limitKinds = ["fixed window", "sliding window", "Retry-After, seconds", "Retry-After, date", "no header"];

/**
 * Many creates at once where few a minute get through.
 * @param {ClientClass} EventDatasets @param {import("./service.mjs").LimitKind} kind @param {number} calls
 */
export async function storm(EventDatasets, kind, calls) {
  const clock = new Clock();
  const service = await startTokens({ limit: limiter({ kind, most: 100, window: 60_000 }, clock) });
  const { now, sleep, watch } = clock;
  const client = new EventDatasets({ baseUrl: service.url, accessToken: "xaat-load", now, sleep, watch });
  const started = clock.time;
  /** @type {number[]} */
  const order = [];
  const one = async (/** @type {number} */ n) => {
    await client.tokens.create({ name: `t${n}` });
    order.push(n);
  };
  try {
    const ended = await Promise.allSettled(Array.from({ length: calls }, (_, n) => one(n)));
    // How many later ones each was overtaken by, at the most: none waits while others go on passing it.
    const overtaken = Math.max(0, ...order.map((n, place) => place - n));
    return {
      kind,
      calls,
      failed: ended.filter(({ status }) => status === "rejected").length,
      doubled: service.seen.made - order.length,
      amplification: service.seen.requests / calls,
      overtaken,
      simulatedMinutes: (clock.time - started) / 60_000,
    };
  } finally {
    await client.close();
    await service.stop();
  }
}

/**
 * Hours of a call a second over one client: connections and memory stay as they are.
 * @param {ClientClass} EventDatasets @param {number} calls
 */
export async function soak(EventDatasets, calls) {
  const clock = new Clock();
  const service = await startTokens({ limit: limiter({ kind: "fixed window", most: 100, window: 60_000 }, clock) });
  const { now, sleep, watch } = clock;
  const client = new EventDatasets({ baseUrl: service.url, accessToken: "xaat-load", now, sleep, watch });
  let mostOpen = 0;
  /** @type {number[]} */
  const heaps = [];
  try {
    await client.tokens.create({ name: "t" });
    for (let call = 0; call < calls; call++) {
      clock.time += 1000;
      await client.tokens.get("t1");
      mostOpen = Math.max(mostOpen, service.seen.open);
      if (call % (calls / 4) === calls / 4 - 1) {
        globalThis.gc?.();
        heaps.push(process.memoryUsage().heapUsed);
      }
    }
    const { sockets, requests } = service.seen;
    return { calls, requests, sockets, mostOpen, heapGrowth: (heaps.at(-1) ?? 0) / (heaps[0] ?? 1) };
  } finally {
    await client.close();
    await service.stop();
  }
}

/** Mulberry32. @param {number} seed */
export const randomOf = (seed) => () => {
  seed = (seed + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

/**
 * How many updates it takes until all tokens are there, where every so many connections break: those that failed are made again
 * by the next one, and those whose secret was lost are replaced.
 * @param {object} parts
 * @param {ClientClass} parts.EventDatasets
 * @param {(client: Client, name: string) => Promise<{ id: string, lost: boolean } | undefined>} parts.create one token, as the
 *   lifecycle makes it: undefined, it is not tracked
 * @param {"documented" | "extended"} profile
 * @param {{ share: number, lost: "requests" | "answers" | "either" }} breaks the share of connections that break, and what is lost with
 *   them: requests, which nobody can tell from answers, so they are not sent again; or answers, whose effect can be undone
 * @param {number} tokens
 */
export async function rounds({ EventDatasets, create }, profile, { share, lost }, tokens) {
  const random = randomOf(7);
  const fault = () => {
    if (random() >= share) return undefined;
    return lost === "requests" || (lost === "either" && random() < 0.5) ? "before" : "after";
  };
  const service = await startTokens({ fault });
  const sleep = async () => undefined;
  const client = new EventDatasets({ baseUrl: service.url, accessToken: "xaat-load", profile, sleep });
  let missing = Array.from({ length: tokens }, (_, n) => n);
  let updates = 0;
  /** @type {Set<string>} */
  const tracked = new Set();
  try {
    for (; missing.length > 0 && updates < 20; updates++) {
      /** @type {number[]} */
      const next = [];
      for (const n of missing) {
        const made = await create(client, `t${n}-${updates.toString(16).padStart(7, "0")}`);
        if (made) tracked.add(made.id);
        if (!made || made.lost) next.push(n);
      }
      missing = next;
    }
    const untracked = [...service.live.keys()].filter((id) => !tracked.has(id)).length;
    return {
      profile,
      share,
      lost,
      tokens,
      updates,
      missing: missing.length,
      untracked,
      requests: service.seen.requests,
    };
  } finally {
    await client.close();
    await service.stop();
  }
}
