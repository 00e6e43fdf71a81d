// @ts-check
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs the work once and takes its milliseconds. @typedef {(name: string, work: () => Promise<unknown>) => Promise<void>} Measure */

const require = createRequire(import.meta.url);
const TOKENS = 100_000;
const EVENTS = 1_000_000;

/** With the queries that each of them stands for. */
const queries = {
  filter: "['http'] | where status >= 500 and uri contains 'checkout' | count",
  "filter by term": "['http'] | where uri has 'checkout' and method == 'POST' | take 100",
  "search of every field": "search 'checkout' | count",
  "newest events": "['http'] | take 100",
  "group by with bin": "['http'] | summarize count(), avg(duration) by bin(_time, 1h), method",
  "distinct count": "['http'] | summarize dcount(user)",
  histogram: "['http'] | summarize histogram(duration, 30)",
  topk: "['http'] | summarize topk(uri, 10) by method",
  percentiles: "['http'] | summarize percentile(duration, 95) by ['geo.country']",
  series: "['http'] | make-series count() on _time step 1h by method",
};

export const about = `The local service with ${TOKENS} tokens, and its queries over ${EVENTS} events.`;

/** @param {import("./run.mjs").Options} options */
export async function run({ rounds }) {
  /** @type {Map<string, number[]>} */
  const taken = new Map();
  /** @type {Measure} */
  const measure = async (name, work) => {
    const started = performance.now();
    await work();
    taken.set(name, [...(taken.get(name) ?? []), performance.now() - started]);
  };
  const folder = await mkdtemp(join(tmpdir(), "bench-emulator-"));
  try {
    await measureTokens(join(folder, "tokens"), rounds, measure);
    await measureQueries(folder, rounds, measure);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return [...taken].map(([subject, ms]) => ({ subject, variant: "", figures: { ms } }));
}

/** @param {string} dataDir @param {number} rounds @param {Measure} measure */
async function measureTokens(dataDir, rounds, measure) {
  const { startEmulator } = require("../emulator/dist/index.js");
  let emulator = await startEmulator({ dataDir });
  await emulator.tokens.add(Array.from({ length: TOKENS }, (_, i) => ({ name: `token-${i}` })));
  const id = String(emulator.tokens.list()[0]?.id);
  for (let round = 0; round < rounds; round++) {
    await emulator.close();
    await measure(`start with ${TOKENS} tokens`, async () => {
      emulator = await startEmulator({ dataDir });
    });
    const headers = { authorization: `Bearer ${emulator.rootToken}` };
    const get = async (/** @type {string} */ path) => (await fetch(emulator.url + path, { headers })).text();
    await measure(`list of ${TOKENS} tokens`, () => get("/v2/tokens"));
    await measure("100 tokens, one after another", async () => {
      for (let n = 0; n < 100; n++) await get(`/v2/tokens/${id}`);
    });
  }
  await emulator.close();
}

/** @param {string} folder @param {number} rounds @param {Measure} measure */
async function measureQueries(folder, rounds, measure) {
  const { openDatasets } = require("../emulator/dist/apl/index.js");
  const file = join(folder, "events.ndjson");
  await writeFile(file, events());
  const datasets = await openDatasets({ dir: join(folder, "datasets") });
  await measure(`load ${EVENTS} events`, () => datasets.load("http", file));
  for (let round = 0; round < rounds; round++) {
    for (const [name, apl] of Object.entries(queries)) await measure(`query: ${name}`, () => datasets.apl({ apl }));
  }
  await datasets.close();
}

/** The same events in every run. */
function* events() {
  let seed = 42;
  const random = (/** @type {number} */ n) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * n);
  };
  const of = (/** @type {readonly unknown[]} */ list) => list[random(list.length)];
  for (let i = 0; i < EVENTS; i++) {
    const event = {
      _time: new Date(Date.UTC(2024, 0, 1) + i * 600).toISOString(),
      method: of(["GET", "GET", "GET", "POST", "PUT"]),
      status: of([200, 200, 200, 301, 404, 500, 503]),
      uri: `${of(["/", "/checkout/cart", "/api/v1/products", "/login", "/account/settings"])}/${random(1000)}`,
      duration: random(1_000_000) / 1000,
      bytes: random(100_000),
      user: `user-${random(50_000)}`,
      geo: { country: of(["NO", "DE", "US", "JP", "BR", "IN", "FR"]), city: `city ${random(500)}` },
      tags: ["a", `t${random(10)}`],
    };
    yield `${JSON.stringify(event)}\n`;
  }
}
