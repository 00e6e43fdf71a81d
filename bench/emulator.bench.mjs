// @ts-check
// The emulator as a service: a list of 100,000 tokens, requests of a caller among them, and a start with all of them.
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const require = createRequire(import.meta.url);
const tokens = 100_000;

/** @param {number[]} values */
const percentiles = (values) => {
  const sorted = values.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(1);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`;
};

/** @param {string} name @param {number} times @param {() => Promise<unknown>} work */
async function measure(name, times, work) {
  const taken = [];
  for (let i = 0; i < times; i += 1) {
    const started = performance.now();
    await work();
    taken.push(performance.now() - started);
  }
  console.log(`${name}: ${percentiles(taken)}`);
}

export async function run() {
  const { startEmulator } = require("../dist/emulator/index.js");
  const dataDir = await mkdtemp(join(tmpdir(), "emulator-bench-"));
  try {
    const first = await startEmulator({ dataDir });
    await first.tokens.add(Array.from({ length: tokens }, (_, i) => ({ name: `token-${i}` })));
    await first.close();
    let emulator = first;
    await measure(`start with ${tokens} tokens`, 3, async () => {
      await emulator.close();
      emulator = await startEmulator({ dataDir });
    });
    const headers = { authorization: `Bearer ${emulator.rootToken}`, "content-type": "application/json" };
    const body = JSON.stringify({ name: "caller", orgCapabilities: { apiTokens: ["read"] } });
    const answer = await fetch(`${emulator.url}/v2/tokens`, { method: "POST", headers, body });
    const made = /** @type {{ id: string, token: string }} */ (await answer.json());
    const get = async (/** @type {string} */ path) =>
      (await fetch(emulator.url + path, { headers: { authorization: `Bearer ${made.token}` } })).text();
    await measure(`list of ${tokens} tokens`, 20, () => get("/v2/tokens"));
    await measure("one token", 500, () => get(`/v2/tokens/${made.id}`));
    await emulator.close();
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
