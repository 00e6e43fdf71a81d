// @ts-check
// Events in the emulator: loading them against merely parsing the same file, and what queries take.
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { finished } from "node:stream/promises";

const require = createRequire(import.meta.url);
/** A million, or as many as BENCH_EVENTS says. */
const events = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const turns = 10;
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

const rss = () => `${Math.round(process.memoryUsage().rss / 1e6)} MB`;

/** The same events in every run. @param {string} file */
async function writeEvents(file) {
  const out = createWriteStream(file);
  const methods = ["GET", "GET", "GET", "POST", "PUT"];
  const countries = ["NO", "DE", "US", "JP", "BR", "IN", "FR"];
  const pages = ["/", "/checkout/cart", "/api/v1/products", "/login", "/account/settings"];
  let seed = 42;
  /** @param {number} n */
  const random = (n) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * n);
  };
  for (let i = 0; i < events; i += 1) {
    const event = {
      _time: new Date(Date.UTC(2024, 0, 1) + i * 600).toISOString(),
      method: methods[random(methods.length)],
      status: [200, 200, 200, 301, 404, 500, 503][random(7)],
      uri: `${pages[random(pages.length)]}/${random(1000)}`,
      duration: random(1_000_000) / 1000,
      bytes: random(100_000),
      user: `user-${random(50_000)}`,
      geo: { country: countries[random(countries.length)], city: `city ${random(500)}` },
      tags: ["a", `t${random(10)}`],
    };
    if (!out.write(`${JSON.stringify(event)}\n`)) await new Promise((go) => out.once("drain", () => go(undefined)));
  }
  out.end();
  await finished(out);
}

/** Seconds to read a file and parse each line: what any loader has to do at least. @param {string} file */
async function parsing(file) {
  const started = performance.now();
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) count += JSON.parse(line) ? 1 : 0;
  if (count !== events) throw new Error(`${count} events read`);
  return (performance.now() - started) / 1000;
}

export async function run() {
  const { openDatasets } = require("../dist/emulator/apl/index.js");
  const dir = await mkdtemp(join(tmpdir(), "query-bench-"));
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 20);
  try {
    const file = join(dir, "events.ndjson");
    await writeEvents(file);
    console.log(`${events} events, ${Math.round((await stat(file)).size / 1e6)} MB, RSS before ${rss()}`);
    const parsed = await parsing(file);
    const datasets = await openDatasets({ dir: join(dir, "data") });
    let started = performance.now();
    const { rows } = await datasets.load("http", file);
    const loaded = (performance.now() - started) / 1000;
    const ratio = (loaded / parsed).toFixed(2);
    console.log(`load: ${rows} rows in ${loaded.toFixed(1)} s, ${ratio} times as long as parsing, RSS ${rss()}`);
    for (const [name, apl] of Object.entries(queries)) {
      const times = /** @type {number[]} */ ([]);
      for (let turn = 0; turn < turns; turn += 1) {
        started = performance.now();
        await datasets.apl({ apl });
        times.push(Math.round(performance.now() - started));
      }
      times.sort((x, y) => x - y);
      const [p50, p95] = [0.5, 0.95].map((share) => times[Math.ceil(share * turns) - 1]);
      console.log(`${name}: p50 ${p50} ms, p95 ${p95} ms, RSS ${rss()}`);
    }
    await datasets.close();
    console.log(`peak RSS ${Math.round(peak / 1e6)} MB`);
  } finally {
    clearInterval(watch);
    await rm(dir, { recursive: true, force: true });
  }
}
