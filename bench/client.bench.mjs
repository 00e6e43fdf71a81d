// @ts-check
// The client against undici alone and against fetch: the same lookup on the same service, in alternating processes.
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { startService } from "./engine/stack.mjs";

const rounds = 3;
const script = path.join(import.meta.dirname, "client", "calls.mjs");

/** @typedef {{ perSecond: number, median: number, cpu: number, kilobytes?: number }} Measured */

/** @param {(number | undefined)[]} values @param {number} digits */
function medianOf(values, digits) {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]?.toFixed(digits) ?? "?";
}

export async function run() {
  const service = await startService(0);
  try {
    await fetch(`${service.url}/v2/tokens`, { method: "POST", body: JSON.stringify({ name: "bench" }) });
    for (const atOnce of ["1", "16"]) {
      /** @type {Record<string, Measured[]>} */
      const runs = { undici: [], fetch: [], ours: [] };
      for (let round = 0; round < rounds; round++) {
        for (const [client, all] of Object.entries(runs)) {
          const args = [
            "--expose-gc",
            "--min-semi-space-size=1024",
            "--max-semi-space-size=1024",
            script,
            client,
            service.url,
            atOnce,
          ];
          all.push(JSON.parse((await promisify(execFile)(process.execPath, args)).stdout));
        }
      }
      console.log(`${atOnce} at once: requests a second, median in ms, CPU in µs a request, kB allocated a request`);
      for (const [client, all] of Object.entries(runs)) {
        const figures = [
          medianOf(
            all.map(({ perSecond }) => perSecond),
            0,
          ),
          medianOf(
            all.map(({ median }) => median),
            3,
          ),
          medianOf(
            all.map(({ cpu }) => cpu),
            0,
          ),
          medianOf(
            all.map(({ kilobytes }) => kilobytes),
            1,
          ),
        ];
        console.log(`  ${client.padEnd(8)} ${figures.map((figure) => figure.padStart(8)).join("  ")}`);
      }
    }
  } finally {
    await service.stop();
  }
}
