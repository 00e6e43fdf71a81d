// @ts-check
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { costOf, measureRounds } from "./measure.mjs";
import { accessToken, withEmulator } from "./service.mjs";

const [LIVE, STACKS, PER_STACK] = [100_000, 10, 1_000];
const CLI = path.join(import.meta.dirname, "..", "dist", "cli", "main.js");

/** @param {import("./run.mjs").Options} options */
export const measureAudit = ({ rounds }) =>
  withEmulator(async ({ emulator, folder }) => {
    const live = Array.from({ length: LIVE }, (_, n) => token(n));
    await emulator.tokens.add(live);
    const states = Array.from({ length: STACKS }, (_, stack) => path.join(folder, `${stack}.json`));
    for (const [stack, file] of states.entries()) {
      const resources = live.slice(stack * PER_STACK, (stack + 1) * PER_STACK).map((token) => resourceOf(stack, token));
      await writeFile(file, JSON.stringify({ version: 3, deployment: { manifest: {}, resources } }, undefined, 4));
    }
    const flags = ["--fail-on", "none", "--output", `json=${path.join(folder, "report.json")}`];
    /** @type {Readonly<Record<string, readonly string[]>>} */
    const commands = {
      "parsing alone": ["-e", parsing, ...states],
      audit: [CLI, "audit", ...flags, ...states.flatMap((file) => ["--state", file])],
    };
    const env = { EVENT_DATASETS_BASE_URL: emulator.url, EVENT_DATASETS_ACCESS_TOKEN: accessToken };
    return measureRounds(Object.keys(commands), rounds, async (variant) => ({
      audit: await costOf(process.execPath, commands[variant] ?? [], { cwd: folder, env }),
    }));
  });

const parsing = `
  const { readFileSync } = require("node:fs");
  const { EVENT_DATASETS_BASE_URL: url, EVENT_DATASETS_ACCESS_TOKEN: token } = process.env;
  for (const file of process.argv.slice(1)) JSON.parse(readFileSync(file, "utf8"));
  fetch(url + "/v2/tokens", { headers: { authorization: "Bearer " + token } }).then((response) => response.json());`;

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

/** As large as the engine's own resources are: they hold stack traces. @param {number} stack @param {ReturnType<typeof token>} token */
function resourceOf(stack, { id, ...spec }) {
  const type = "pulumi-nodejs:event-datasets:ApiToken";
  const inputs = { __provider: "x".repeat(70), key: spec.name, ...spec };
  const stackTrace = Array(12).fill({ sourcePosition: "project:///node_modules/@pulumi/pulumi/x.js#1,2" });
  const urn = `urn:pulumi:s${stack}::bench::${type}::${spec.name}`;
  return { urn, custom: true, id, type, inputs, outputs: { ...inputs, token: secret }, stackTrace };
}
