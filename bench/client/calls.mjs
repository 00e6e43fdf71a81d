// @ts-check
// One client in a process of its own: looks up one token again and again. `node calls.mjs <client> <address> <at once>`
import { createRequire } from "node:module";
import { PerformanceObserver } from "node:perf_hooks";

const require = createRequire(import.meta.url);
const [, , client = "", url = "", atOnce = "1"] = process.argv;
const count = 4000;

/** @type {Record<string, () => () => Promise<unknown>>} */
const clients = {
  undici() {
    const { Agent, request } = require("undici");
    const dispatcher = new Agent();
    const headers = { authorization: "Bearer xaat-bench", accept: "application/json" };
    return async () => (await request(`${url}/v2/tokens/tok-000001`, { dispatcher, headers })).body.json();
  },
  fetch() {
    const headers = { authorization: "Bearer xaat-bench", accept: "application/json" };
    return async () => (await fetch(`${url}/v2/tokens/tok-000001`, { headers })).json();
  },
  ours() {
    const { EventDatasets } = require("../../dist/sdk/index.js");
    const own = new EventDatasets({ baseUrl: url, accessToken: "xaat-bench" });
    return () => own.tokens.get("tok-000001");
  },
};

const call = clients[client]?.();
if (call === undefined) throw new Error(`there is no client ${client}`);
/** @param {number} calls */
async function run(calls) {
  /** @type {number[]} */
  const taken = [];
  let left = calls;
  const work = async () => {
    while (left-- > 0) {
      const started = performance.now();
      await call?.();
      taken.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: Number(atOnce) }, work));
  return taken.sort((a, b) => a - b);
}

await run(1000);
let collections = 0;
new PerformanceObserver((list) => {
  collections += list.getEntries().length;
}).observe({ entryTypes: ["gc"] });
globalThis.gc?.();
await new Promise((resolve) => setTimeout(resolve, 50));
collections = 0;
const [heap, cpu, started] = [process.memoryUsage().heapUsed, process.cpuUsage(), performance.now()];
const taken = await run(count);
const [seconds, used] = [(performance.now() - started) / 1000, process.cpuUsage(cpu)];
const allocated = process.memoryUsage().heapUsed - heap;
await new Promise((resolve) => setTimeout(resolve, 50));
const result = {
  perSecond: count / seconds,
  median: taken[Math.floor(count / 2)],
  cpu: (used.user + used.system) / count,
  // What was allocated is what is there, as long as nothing was collected.
  kilobytes: collections === 0 ? allocated / count / 1000 : undefined,
};
process.stdout.write(JSON.stringify(result), () => process.exit());
