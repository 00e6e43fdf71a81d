// @ts-check
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { text } from "node:stream/consumers";

const TARGET = "docs/commandLine.cast";

/** Tokens that the session looks at: one that expires, one that never does and may do anything. */
const tokens = [
  { name: "ci-deploy", expiresAt: "2027-06-01T00:00:00Z", orgCapabilities: { annotations: ["create"] } },
  { name: "by hand", orgCapabilities: { apiTokens: ["create", "read"] } },
];

const session = [
  "pulumi-event-datasets audti",
  "pulumi-event-datasets tokens list",
  "pulumi-event-datasets tokens revoke --help",
  "pulumi-event-datasets help completion",
];

const HEADER = {
  version: 2,
  width: 110,
  height: 30,
  title: "pulumi-event-datasets",
  env: { TERM: "xterm-256color", SHELL: "/bin/bash" },
};

/** Seconds before the first prompt, after a prompt, a key, a line and what the command prints. */
const PACE = { start: 0.5, prompt: 0.4, key: 0.04, line: 0.3, output: 2.5 };

/**
 * A session of the built command line against the local service, as asciicast v2
 * (https://docs.asciinema.org/manual/asciicast/v2/). The output is real. The times are invented, so that the recording
 * changes only with the output.
 * @type {import("./produce.mjs").Make}
 */
export async function makeRecording(root) {
  const main = path.join(root, "dist", "cli", "main.js");
  const folder = await mkdtemp(path.join(os.tmpdir(), "event-datasets-recording-"));
  const rootToken = `xaat-${randomUUID()}`;
  const emulator = path.join(root, "emulator", "dist", "main.js");
  const service = spawn(process.execPath, [emulator, "--data", folder, "--port", "0"], {
    env: { ...process.env, EVENT_DATASETS_ROOT_TOKEN: rootToken },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(service, "close");
  const complaint = text(service.stderr);
  try {
    const ready = once(readline.createInterface({ input: service.stdout }), "line");
    const [first] = await Promise.race([ready, ended.then(() => [])]);
    if (typeof first !== "string") throw new Error(`the service did not start: ${await complaint}`);
    const url = first.replace("listening on ", "");
    const ids = await createTokens(url, rootToken);
    const env = {
      PATH: process.env.PATH,
      EVENT_DATASETS_BASE_URL: url,
      EVENT_DATASETS_ACCESS_TOKEN: rootToken,
      COLUMNS: "100",
    };
    /** @type {Shown[]} */
    const events = [];
    for (const line of session) {
      let output = await runLine(main, line, env);
      // The service creates other ids at each start.
      for (const [index, id] of ids.entries())
        output = output.replaceAll(id, String(index + 1).padStart(id.length, "0"));
      if (output.includes(rootToken)) throw new Error("the recording would contain a credential");
      events.push(...typed(line), [output, PACE.output]);
    }
    return { [TARGET]: asLines(events) };
  } finally {
    service.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true });
  }
}

/** @typedef {[output: string, seconds: number]} Shown how long it stays before the next */

/** @param {string} line @returns {Shown[]} */
const typed = (line) => [
  ["$ ", PACE.prompt],
  ...[...line].map((key) => /** @type {Shown} */ ([key, PACE.key])),
  ["\n", PACE.line],
];

/** @param {readonly Shown[]} events */
function asLines(events) {
  let at = PACE.start;
  const lines = events.map(([output, seconds]) => {
    const event = [Number(at.toFixed(3)), "o", output.replaceAll("\n", "\r\n")];
    at += seconds;
    return event;
  });
  return `${[HEADER, ...lines].map((line) => JSON.stringify(line)).join("\n")}\n`;
}

/**
 * @param {string} url
 * @param {string} rootToken
 * @returns {Promise<string[]>} their ids
 */
async function createTokens(url, rootToken) {
  const ids = [];
  for (const body of tokens) {
    const headers = { authorization: `Bearer ${rootToken}`, "content-type": "application/json" };
    const response = await fetch(`${url}/v2/tokens`, { method: "POST", headers, body: JSON.stringify(body) });
    ids.push(/** @type {{ id: string }} */ (await response.json()).id);
  }
  return ids;
}

/**
 * @param {string} main
 * @param {string} line
 * @param {NodeJS.ProcessEnv} env
 */
async function runLine(main, line, env) {
  const shell = `pulumi-event-datasets() { "${process.execPath}" "${main}" "$@"; }\n${line} 2>&1`;
  const child = spawn("bash", ["--noprofile", "--norc", "-c", shell], { env, stdio: ["ignore", "pipe", "inherit"] });
  return text(child.stdout);
}
