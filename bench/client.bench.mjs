// @ts-check
// The same calls by each client to one service on loopback, in alternating processes. The public client is installed into a
// temporary folder for this.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { startService } from "./stack.mjs";

const publicClient = "@axiomhq/js@2.0.0";
/** Which clients have which call: the public one has none for tokens. */
const calls = {
  token: ["undici", "fetch", "ours"],
  annotation: ["undici", "fetch", "public", "ours"],
  query: ["undici", "fetch", "public", "ours"],
};

/** @typedef {{ perSecond: number, median: number, cpu: number, kilobytes?: number }} Measured */

export const about = `Each client in a process of its own, against a service on loopback that does nothing. undici: alone; it checks
nothing, has no deadline for the whole response and repeats nothing. public: the service's own JavaScript client, ${publicClient}.
ours opens a connection for each create: a kept one may be closed as the request goes out, and then nobody knows whether it
arrived. A busy machine changes calls a second and medians, and hardly CPU and memory. No figure for memory: too much to count.`;

/** @param {import("./run.mjs").Options} options */
export async function run({ rounds }) {
  const installed = await mkdtemp(path.join(tmpdir(), "public-client-"));
  const service = await startService();
  try {
    await promisify(execFile)("npm", ["install", "--no-save", "--ignore-scripts", "--prefix", installed, publicClient]);
    const rows = [];
    for (const [call, clients] of Object.entries(calls)) {
      for (const atOnce of ["1", "16"]) {
        const all = clients.map((client) => ({ client, runs: /** @type {Measured[]} */ ([]) }));
        for (let round = 0; round < rounds; round++) {
          for (const { client, runs } of all) runs.push(await measure([client, call, service.url, atOnce, installed]));
        }
        rows.push(...all.map(({ client, runs }) => rowOf(`${call}, ${atOnce} at once`, client, runs)));
      }
    }
    return rows;
  } finally {
    await service.stop();
    await rm(installed, { recursive: true });
  }
}

/** @param {string} subject @param {string} variant @param {readonly Measured[]} runs */
const rowOf = (subject, variant, runs) => ({
  subject,
  variant,
  figures: {
    "calls/s": runs.map(({ perSecond }) => perSecond),
    "median ms": runs.map(({ median }) => median),
    "CPU µs a call": runs.map(({ cpu }) => cpu),
    "kB a call": runs.flatMap(({ kilobytes }) => kilobytes ?? []),
  },
});

/** Room for all that is allocated, so that nothing is collected while it is counted. */
const counted = ["--expose-gc", "--min-semi-space-size=1024", "--max-semi-space-size=1024"];

/** @param {readonly string[]} args @returns {Promise<Measured>} */
async function measure(args) {
  const script = path.join(import.meta.dirname, "calls.mjs");
  return JSON.parse((await promisify(execFile)(process.execPath, [...counted, script, ...args])).stdout);
}
