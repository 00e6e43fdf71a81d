// @ts-check
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { costOf } from "./cost.mjs";

const LIVE = 100_000;
const STACKS = 10;
const PER_STACK = 1_000;
const CLI = path.join(import.meta.dirname, "..", "dist", "cli", "main.js");

/** @param {number} n */
const token = (n) => ({
  id: n.toString(16).padStart(24, "0"),
  name: `service-${n}-${(n * 2_654_435_761).toString(16).slice(-7).padStart(7, "0")}`,
  description: `Used by service ${n} to annotate deployments`,
  expiresAt: "2999-01-01T00:00:00Z",
  datasetCapabilities: { [`dataset-${n % 50}`]: { ingest: ["create"], query: ["read"] } },
  orgCapabilities: { annotations: ["create", "read"], apiTokens: ["read"], datasets: ["read"] },
});

const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "x".repeat(96) };
const sourcePosition = "project:///node_modules/@pulumi/pulumi/x.js#1,2";

/** As large as the engine's own resources are: they hold dependencies and stack traces. @param {number} n */
function resourceOf(n) {
  const { id, ...spec } = token(n);
  const inputs = { __provider: "x".repeat(70), key: `service-${n}`, ...spec };
  return {
    urn: `urn:pulumi:s${Math.floor(n / PER_STACK)}::bench::pulumi-nodejs:event-datasets:ApiToken::service-${n}`,
    custom: true,
    id,
    type: "pulumi-nodejs:event-datasets:ApiToken",
    inputs,
    outputs: { ...inputs, token: secret },
    propertyDependencies: Object.fromEntries(Object.keys(inputs).map((key) => [key, []])),
    stackTrace: Array.from({ length: 12 }, () => ({ sourcePosition })),
  };
}

export const about = `The whole command with ${LIVE} live tokens and ${STACKS * PER_STACK} declared ones in ${STACKS} states, against merely
fetching, reading and parsing the same JSON.`;

/** @param {import("./run.mjs").Options} options */
export async function run({ rounds }) {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-audit-"));
  const body = Buffer.from(JSON.stringify(Array.from({ length: LIVE }, (_, n) => token(n))));
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  try {
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const states = Array.from({ length: STACKS }, (_, n) => path.join(folder, `${n}.json`));
    for (const [stack, file] of states.entries()) {
      const resources = Array.from({ length: PER_STACK }, (_, n) => resourceOf(stack * PER_STACK + n));
      await writeFile(file, JSON.stringify({ version: 3, deployment: { manifest: {}, resources } }, undefined, 4));
    }
    const env = { PATH: process.env.PATH, EVENT_DATASETS_BASE_URL: url, EVENT_DATASETS_ACCESS_TOKEN: "bench" };
    const where = { cwd: folder, env, log: path.join(folder, "log") };
    const audit = [CLI, "audit", ...states.flatMap((file) => ["--state", file]), "--output"];
    const commands = [
      { variant: "parsing alone", args: ["-e", parsing(states, url)], codes: [0] },
      ...["json", "ndjson", "sarif", "markdown"].map((format) => ({
        variant: `audit --output ${format}`,
        args: [...audit, `${format}=${path.join(folder, `report.${format}`)}`],
        codes: [1], // it finds something
      })),
    ].map((command) => ({ ...command, costs: /** @type {import("./cost.mjs").Cost[]} */ ([]) }));
    for (let round = 0; round < rounds; round++) {
      for (const { args, codes, costs } of commands)
        costs.push(await costOf(process.execPath, args, { ...where, codes }));
    }
    return commands.map(({ variant, costs }) => ({
      subject: "audit",
      variant,
      figures: {
        "wall s": costs.map(({ seconds }) => seconds),
        CPU: costs.map(({ cpu }) => cpu),
        "peak MiB": costs.map(({ peakMiB }) => peakMiB),
      },
    }));
  } finally {
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {readonly string[]} states @param {string} url */
const parsing = (states, url) => `
  const { readFileSync } = require("node:fs");
  (async () => {
    let tokens = 0;
    for (const file of ${JSON.stringify(states)}) tokens += JSON.parse(readFileSync(file, "utf8")).deployment.resources.length;
    tokens += JSON.parse(await (await fetch(${JSON.stringify(url)})).text()).length;
    if (tokens !== ${LIVE + STACKS * PER_STACK}) throw new Error(tokens + " tokens");
  })();`;
