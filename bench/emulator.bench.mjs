// @ts-check
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
  withEmulator(async ({ emulator }) => {
    for (let from = 0; from < EVENTS; from += BATCH) {
      const events = Array.from({ length: BATCH }, (_, n) => event(from + n));
      await emulator.ingest("http", events);
    }
    const client = createClient(emulator.url);
    return measureRounds([""], rounds, async () => {
      /** @type {Record<string, { ms: number }>} */
      const figures = {};
      for (const [name, apl] of Object.entries(queries)) {
        const started = performance.now();
        await client.queries.apl({ apl });
        figures[name] = { ms: performance.now() - started };
      }
      return figures;
    });
  });

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
