// @ts-check
// Rate limits, broken connections, long lists and long runs. What is counted is the same on every machine; of times there are ratios.
import { createRequire } from "node:module";
import { createTokens } from "./load/lifecycle.mjs";
import { limitKinds, rounds, soak, storm } from "./load/measures.mjs";
import { startTokens } from "./load/service.mjs";

const require = createRequire(import.meta.url);

/** @param {string} title @param {object} figures */
const print = (title, figures) => console.log(`${title}: ${JSON.stringify(figures)}`);

export async function run() {
  const { EventDatasets } = require("../dist/sdk/index.js");
  for (const kind of limitKinds) print("rate limit", await storm(EventDatasets, kind, 1_000));
  const create = createTokens(require);
  for (const profile of /** @type {const} */ (["documented", "extended"])) {
    for (const share of [0.01, 0.05])
      for (const lost of /** @type {const} */ (["requests", "answers", "either"]))
        print("broken connections", await rounds({ EventDatasets, create }, profile, { share, lost }, 1_000));
  }
  print("ten stacks, one after another", await tenStacks(EventDatasets, create));
  print("list", await longList(EventDatasets));
  print("soak", await soak(EventDatasets, 3_600));
}

/**
 * 1,000 tokens in each of ten stacks: what the last one takes, against the first. No engine is needed for it.
 * @param {any} EventDatasets @param {ReturnType<typeof createTokens>} create
 */
async function tenStacks(EventDatasets, create) {
  const service = await startTokens();
  /** @type {number[]} */
  const taken = [];
  for (let stack = 0; stack < 10; stack++) {
    const client = new EventDatasets({ baseUrl: service.url, accessToken: "xaat-load" });
    const started = performance.now();
    const names = Array.from({ length: 1_000 }, (_, n) => `s${stack}-${n}`);
    const work = async () => {
      for (let name = names.pop(); name !== undefined; name = names.pop()) await create(client, name);
    };
    await Promise.all(Array.from({ length: 16 }, work));
    taken.push(performance.now() - started);
    await client.close();
  }
  await service.stop();
  const { requests, made } = service.seen;
  return { tokens: made, amplification: requests / made, lastToFirst: round((taken.at(-1) ?? 0) / (taken[0] ?? 1)) };
}

/** The same list through the client and through `fetch`. @param {any} EventDatasets */
async function longList(EventDatasets) {
  const service = await startTokens();
  for (let n = 0; n < 100_000; n++) {
    const orgCapabilities = { apiTokens: ["read"] };
    service.live.set(`t${n}`, /** @type {any} */ ({ id: `t${n}`, name: `token ${n}`, orgCapabilities }));
  }
  const client = new EventDatasets({ baseUrl: service.url, accessToken: "xaat-load" });
  const ours = await fastest(() => client.tokens.list());
  const fetched = await fastest(async () => (await fetch(`${service.url}/v2/tokens`)).json());
  await client.close();
  await service.stop();
  return { tokens: 100_000, toFetch: round(ours / fetched), seconds: round(ours / 1000) };
}

/** @param {() => Promise<unknown>} work */
async function fastest(work) {
  /** @type {number[]} */
  const all = [];
  for (let n = 0; n < 3; n++) {
    const started = performance.now();
    await work();
    all.push(performance.now() - started);
  }
  return Math.min(...all);
}

const round = (/** @type {number} */ value) => Math.round(value * 100) / 100;
