#!/usr/bin/env node
// @ts-check
// Records a session of the command line against the local service, as asciicast v2 (https://docs.asciinema.org/manual/asciicast/v2/):
//   npm run build && node scripts/recording.mjs
// What is printed is real; how fast it is typed and read is made up, so that the recording changes only with the output.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";

const root = path.join(import.meta.dirname, "..");
const main = path.join(root, "dist", "cli", "main.js");
const target = path.join(root, "docs", "commandLine.cast");

/** Tokens that the session looks at: one that expires, one that never does and may do anything. */
const tokens = [
  { name: "ci-deploy", expiresAt: "2027-06-01T00:00:00Z", orgCapabilities: { annotations: ["create"] } },
  { name: "by hand", orgCapabilities: { apiTokens: ["create", "read"] } },
];

const session = [
  "event-datasets audti",
  "event-datasets tokens list",
  "event-datasets tokens adopt --name ci-deploy",
  "event-datasets completion bash | head -2",
  "event-datasets help completion",
];

/**
 * @param {string} line
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>}
 */
function run(line, env) {
  return new Promise((resolve, reject) => {
    const shell = `event-datasets() { "${process.execPath}" "${main}" "$@"; }\n${line} 2>&1`;
    const child = spawn("bash", ["--noprofile", "--norc", "-c", shell], { env, stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
    });
    child.once("error", reject);
    child.once("close", () => resolve(text));
  });
}

const folder = await mkdtemp(path.join(os.tmpdir(), "event-datasets-recording-"));
const rootToken = `xaat-${randomUUID()}`;
const service = spawn(process.execPath, [main, "serve", "--data", folder, "--port", "0"], {
  env: { ...process.env, EVENT_DATASETS_ROOT_TOKEN: rootToken },
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const first = await new Promise((resolve) =>
    readline.createInterface({ input: service.stdout }).once("line", resolve),
  );
  const url = String(first).replace("listening on ", "");
  /** @type {Map<string, string>} */
  const ids = new Map();
  for (const body of tokens) {
    const headers = { authorization: `Bearer ${rootToken}`, "content-type": "application/json" };
    const answer = await fetch(`${url}/v2/tokens`, { method: "POST", headers, body: JSON.stringify(body) });
    const { id } = /** @type {{ id: string }} */ (await answer.json());
    // Every service makes ids of its own.
    ids.set(id, String(ids.size + 1).padStart(id.length, "0"));
  }
  const env = {
    PATH: process.env.PATH,
    EVENT_DATASETS_BASE_URL: url,
    EVENT_DATASETS_ACCESS_TOKEN: rootToken,
    COLUMNS: "100",
  };
  let at = 0.5;
  /** @type {(readonly [number, "o", string])[]} */
  const events = [];
  /** @param {string} text @param {number} seconds */
  const show = (text, seconds) => {
    events.push([Number(at.toFixed(3)), "o", text.replaceAll("\n", "\r\n")]);
    at += seconds;
  };
  for (const line of session) {
    show("$ ", 0.4);
    for (const key of line) show(key, 0.04);
    show("\n", 0.3);
    let text = await run(line, env);
    for (const [id, stand] of ids) text = text.replaceAll(id, stand);
    if (text.includes(rootToken)) throw new Error("the recording would hold a credential");
    show(text, 2.5);
  }
  const header = {
    version: 2,
    width: 110,
    height: 30,
    title: "event-datasets",
    env: { TERM: "xterm-256color", SHELL: "/bin/bash" },
  };
  await writeFile(target, `${[header, ...events].map((one) => JSON.stringify(one)).join("\n")}\n`);
} finally {
  const ended = new Promise((resolve) => service.once("close", resolve));
  service.kill("SIGTERM");
  await ended;
  await rm(folder, { recursive: true });
}
