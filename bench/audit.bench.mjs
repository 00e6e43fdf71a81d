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

/** As large as the engine's own resources are: they hold dependencies and stack traces. @param {number} stack */
function stateOf(stack) {
  const resources = Array.from({ length: PER_STACK }, (_, at) => {
    const { id, ...spec } = token(stack * PER_STACK + at);
    const inputs = { __provider: "x".repeat(70), key: `service-${stack * PER_STACK + at}`, ...spec };
    const secret = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      ciphertext: "v1:".padEnd(96, "x"),
    };
    return {
      urn: `urn:pulumi:s${stack}::bench::pulumi-nodejs:event-datasets:ApiToken::service-${at}`,
      custom: true,
      id,
      type: "pulumi-nodejs:event-datasets:ApiToken",
      inputs,
      outputs: { ...inputs, token: secret },
      propertyDependencies: Object.fromEntries(Object.keys(inputs).map((key) => [key, []])),
      stackTrace: Array.from({ length: 12 }, () => ({
        sourcePosition: "project:///node_modules/@pulumi/pulumi/x.js#1,2",
      })),
    };
  });
  return { version: 3, deployment: { manifest: {}, resources } };
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
    for (const [n, file] of states.entries()) await writeFile(file, JSON.stringify(stateOf(n), undefined, 4));
    const env = { PATH: process.env.PATH, EVENT_DATASETS_BASE_URL: url, EVENT_DATASETS_ACCESS_TOKEN: "bench" };
    const audit = [CLI, "audit", ...states.flatMap((file) => ["--state", file])];
    const formats = ["json", "ndjson", "sarif", "markdown"];
    const commands = [
      { variant: "parsing alone", args: ["-e", parsing(states, url)], costs: costs() },
      ...formats.map((format) => ({
        variant: `audit --output ${format}`,
        args: [...audit, "--output", `${format}=${path.join(folder, `report.${format}`)}`],
        costs: costs(),
      })),
    ];
    for (let round = 0; round < rounds; round++) {
      for (const { args, costs } of commands) {
        const where = {
          cwd: folder,
          env,
          log: path.join(folder, "log"),
          codes: args === commands[0]?.args ? [0] : [1],
        };
        costs.push(await costOf(process.execPath, args, where));
      }
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

/** @returns {import("./cost.mjs").Cost[]} */
const costs = () => [];

/** @param {readonly string[]} states @param {string} url */
const parsing = (states, url) => `
  const { readFileSync } = require("node:fs");
  (async () => {
    let tokens = 0;
    for (const file of ${JSON.stringify(states)}) tokens += JSON.parse(readFileSync(file, "utf8")).deployment.resources.length;
    tokens += JSON.parse(await (await fetch(${JSON.stringify(url)})).text()).length;
    console.log(tokens);
  })();`;
