// @ts-check
// The client against undici alone, against fetch, and against the service's public JavaScript client: the same calls to the
// same service on loopback, in alternating processes. The public client is installed into a temporary folder for this.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { parseArgs, promisify } from "node:util";
import { describeClients } from "./client/table.mjs";

const publicClient = "@axiomhq/js@2.0.0";
const folder = path.join(import.meta.dirname, "client");
/** Which clients have which call: the public one has none for tokens. */
const calls = {
  token: ["undici", "fetch", "ours"],
  annotation: ["undici", "fetch", "public", "ours"],
  query: ["undici", "fetch", "public", "ours"],
};

/** @typedef {{ perSecond: number, median: number, cpu: number, kilobytes?: number }} Measured */

/** @param {readonly string[]} args */
export async function run(args = []) {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: "string", default: "3" }, write: { type: "boolean" } },
  });
  const installed = await mkdtemp(path.join(tmpdir(), "public-client-"));
  const service = spawn(process.execPath, [path.join(folder, "service.mjs")], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    await promisify(execFile)("npm", ["install", "--no-save", "--ignore-scripts", "--prefix", installed, publicClient]);
    const [port] = await once(createInterface({ input: service.stdout }), "line");
    /** @type {{ call: string, atOnce: string, client: string, runs: Measured[] }[]} */
    const results = [];
    for (const [call, clients] of Object.entries(calls)) {
      for (const atOnce of ["1", "16"]) {
        const all = clients.map((client) => ({ call, atOnce, client, runs: /** @type {Measured[]} */ ([]) }));
        for (let round = 0; round < Number(values.rounds); round++) {
          for (const { client, runs } of all)
            runs.push(await measure([client, call, `http://127.0.0.1:${port}`, atOnce, installed]));
        }
        results.push(...all);
      }
    }
    const text = describeClients(results, publicClient, Number(values.rounds));
    console.log(text);
    if (values.write) await writeFile(path.join(import.meta.dirname, "CLIENT.md"), text);
  } finally {
    service.stdin.end();
    await rm(installed, { recursive: true });
  }
}

/** Room for all that is allocated, so that nothing is collected while it is counted. */
const counted = ["--expose-gc", "--min-semi-space-size=1024", "--max-semi-space-size=1024"];

/** @param {readonly string[]} args @returns {Promise<Measured>} */
async function measure(args) {
  const script = path.join(folder, "calls.mjs");
  return JSON.parse((await promisify(execFile)(process.execPath, [...counted, script, ...args])).stdout);
}
