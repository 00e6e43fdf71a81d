// @ts-check
// One client in a process of its own: makes one call again and again.
// `node calls.mjs <client> <call> <address> <at once> <folder with the service's public client>`
import { createRequire } from "node:module";
import path from "node:path";
import { PerformanceObserver } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

const require = createRequire(import.meta.url);
const [, , client = "", called = "", url = "", atOnce = "1", folder = ""] = process.argv;
// So few that nothing of what they allocate is collected meanwhile.
const count = called === "query" ? 500 : 2000;
const accessToken = "xaat-bench";
const annotation = { type: "deploy", datasets: ["logs"], title: "bench" };
const apl = "logs | take 100";
const headers = {
  authorization: `Bearer ${accessToken}`,
  accept: "application/json",
  "content-type": "application/json",
};
const made = await fetch(`${url}/v2/tokens`, { method: "POST", headers, body: '{"name":"bench"}' });
const { id } = /** @type {{ id: string }} */ (await made.json());

/** The request of each call, for clients that do not know the service. */
const requests = {
  token: { method: "GET", path: `/v2/tokens/${id}`, body: null },
  annotation: { method: "POST", path: "/v2/annotations", body: JSON.stringify(annotation) },
  query: { method: "POST", path: "/v1/datasets/_apl", body: JSON.stringify({ apl }) },
};
const { method, path: at, body } = requests[/** @type {keyof typeof requests} */ (called)];

/** @type {Record<string, () => Record<string, () => Promise<unknown>>>} */
const clients = {
  undici() {
    const { Agent, request } = require("undici");
    const dispatcher = new Agent();
    return { [called]: async () => (await request(`${url}${at}`, { dispatcher, method, headers, body })).body.json() };
  },
  fetch: () => ({ [called]: async () => (await fetch(`${url}${at}`, { method, headers, body })).json() }),
  public() {
    const { Axiom } = createRequire(path.join(folder, "x.cjs"))("@axiomhq/js");
    const own = new Axiom({ token: accessToken, url });
    return {
      annotation: () => own.annotations.create(annotation),
      query: () => own.query(apl, { format: "legacy" }),
    };
  },
  ours() {
    const { EventDatasets } = require("../dist/sdk/index.js");
    const own = new EventDatasets({ baseUrl: url, accessToken });
    return {
      token: () => own.tokens.get(id),
      annotation: () => own.annotations.create(annotation),
      query: () => own.queries.apl({ apl }),
    };
  },
};

const call = clients[client]?.()[called];
if (call === undefined) throw new Error(`there is no call ${called} of ${client}`);

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

await run(500);
globalThis.gc?.();
await sleep(50); // the collections until now are reported
let collections = 0;
new PerformanceObserver((list) => {
  collections += list.getEntries().length;
}).observe({ entryTypes: ["gc"] });
const [heap, cpu, started] = [process.memoryUsage().heapUsed, process.cpuUsage(), performance.now()];
const taken = await run(count);
const [seconds, used] = [(performance.now() - started) / 1000, process.cpuUsage(cpu)];
const allocated = process.memoryUsage().heapUsed - heap;
await sleep(50);
const result = {
  perSecond: count / seconds,
  median: taken[Math.floor(count / 2)],
  cpu: (used.user + used.system) / count,
  // Without a garbage collection, the heap's growth is the allocated memory.
  kilobytes: collections === 0 ? allocated / count / 1000 : undefined,
};
process.stdout.write(JSON.stringify(result), () => process.exit());
