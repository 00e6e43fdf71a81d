// @ts-check
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { measureRounds } from "./measure.mjs";
import { createClient, withEmulator } from "./service.mjs";

const [EVENTS, BATCH] = [1_000_000, 100_000];

/** With the queries that each of them stands for. */
const queries = {
  filter: "['http'] | where status >= 500 and uri contains 'checkout' | count",
  "search of every field": "search 'checkout' | count",
  "newest events": "['http'] | take 100",
  "group by with bin": "['http'] | summarize count(), avg(duration) by bin(_time, 1h), method",
  topk: "['http'] | summarize topk(uri, 10) by method",
  percentiles: "['http'] | summarize percentile(duration, 95) by country",
};

/** @param {import("./run.mjs").Options} options */
export const measureEmulator = ({ rounds }) =>
  withEmulator(async ({ emulator, folder }) => {
    const loads = await measureLoads(rounds, folder);
    for (let from = 0; from < EVENTS; from += BATCH) {
      const events = Array.from({ length: BATCH }, (_, n) => event(from + n));
      await emulator.ingest("http", events);
    }
    const client = createClient(emulator.url);
    const answers = await measureRounds([""], rounds, async () => {
      /** @type {Record<string, { ms: number }>} */
      const figures = {};
      for (const [name, apl] of Object.entries(queries)) {
        const started = performance.now();
        await client.queries.apl({ apl });
        figures[name] = { ms: performance.now() - started };
      }
      return figures;
    });
    return [...loads, ...answers];
  });

/** The same events from a file of each kind. @param {number} rounds @param {string} folder */
async function measureLoads(rounds, folder) {
  const events = Array.from({ length: 4 * BATCH }, (_, n) => event(n));
  const lines = {
    ndjson: events.map((one) => JSON.stringify(one)),
    csv: [Object.keys(event(0)), ...events.map((one) => Object.values(one))].map((values) => values.join(",")),
  };
  for (const [kind, rows] of Object.entries(lines))
    await writeFile(path.join(folder, `events.${kind}`), rows.join("\n"));
  const { openDatasets } = createRequire(import.meta.url)("../emulator/dist/apl/index.js");
  let loads = 0;
  return await measureRounds(Object.keys(lines), rounds, async (kind) => {
    const datasets = await openDatasets({ dir: path.join(folder, `loads${loads++}`) });
    const [started, before] = [performance.now(), process.cpuUsage()];
    await datasets.load("http", path.join(folder, `events.${kind}`));
    const { user, system } = process.cpuUsage(before);
    const ms = performance.now() - started;
    await datasets.close();
    return { "load 400,000 events": { ms, "CPU s": (user + system) / 1e6 } };
  });
}

/** @param {number} n */
function event(n) {
  const mixed = (n * 2_654_435_761) % 2 ** 32;
  const of = (/** @type {readonly unknown[]} */ list) => list[mixed % list.length];
  return {
    _time: new Date(Date.UTC(2024, 0, 1) + n * 600).toISOString(),
    method: of(["GET", "GET", "GET", "POST", "PUT"]),
    status: of([200, 200, 200, 301, 404, 500, 503]),
    uri: `${of(["/", "/checkout/cart", "/api/v1/products", "/login"])}/${mixed % 997}`,
    duration: (mixed % 1_000_003) / 1000,
    country: of(["NO", "DE", "US", "JP", "BR", "IN", "FR", "SE", "IT", "ES", "PL"]),
  };
}
