// @ts-check
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const STACK = "demo";

const HELP = `npm run demo [-- --keep]

Deploys the root program (index.ts) with the real Pulumi engine against the local emulator: a token, an annotation and a
lookup. Everything that it creates is in a temporary folder and is removed at the end.

  --keep   leave the emulator and the stack running, and print how to continue by hand
  --help   show this`;

/** @typedef {{ url: string, pid: number, stop: () => Promise<void> }} Service */

/** The signal received, if any, and the way to stop the engine's current command. */
const now = { signal: /** @type {NodeJS.Signals | undefined} */ (undefined), stop: () => {} };

/** Stops the engine at a signal, so that the clean-up below runs whatever stops the demo. */
function listenForSignals() {
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => {
      if (!now.signal) say(`interrupted by ${signal}: cleaning up`);
      now.signal = signal;
      // A terminal sends Ctrl-C to the engine as well; a second signal would make the engine stop at once.
      if (signal !== "SIGINT" || !process.stdin.isTTY) now.stop();
    });
  }
}

/** @throws Error after a signal */
function checkInterrupted() {
  if (now.signal) throw new Error(`interrupted by ${now.signal}`);
}

/** @param {string} title */
const headline = (title) => process.stdout.write(`\n== ${title}\n`);

/** @param {string} text */
const say = (text) => process.stdout.write(`${text}\n`);

/**
 * Starts the emulator as users do; resolves when it prints that it is ready.
 * @param {string} folder
 * @param {string} rootToken
 * @param {boolean} keep
 * @returns {Promise<Service>}
 */
async function startEmulator(folder, rootToken, keep) {
  const log = await fs.open(path.join(folder, "emulator.log"), "a");
  const child = spawn(
    process.execPath,
    [path.join(ROOT, "emulator", "dist", "main.js"), "--data", path.join(folder, "service"), "--port", "0"],
    {
      // The token goes in the environment, because arguments show in the process list.
      env: { ...process.env, EVENT_DATASETS_ROOT_TOKEN: rootToken },
      stdio: ["ignore", "pipe", log.fd],
      // In its own process group: after Ctrl-C the engine still needs the service.
      detached: true,
    },
  );
  const { stdout } = child;
  if (!stdout) throw new Error("the emulator has no standard output");
  const ended = new Promise((resolve) => child.once("close", resolve));
  const url = await new Promise((resolve, reject) => {
    child.once("error", reject);
    void ended.then((code) => reject(new Error(`the emulator ended (${code}): see ${folder}/emulator.log`)));
    readline.createInterface({ input: stdout }).on("line", (line) => {
      const match = /^listening on (\S+)$/.exec(line);
      if (match) resolve(match[1]);
    });
  });
  await log.close();
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  if (keep) {
    child.unref();
    stdout.destroy();
  }
  return { url, pid: child.pid ?? 0, stop };
}

/**
 * Runs the engine in the checkout. With `quiet` its output is returned instead of shown.
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} args
 * @param {{ quiet?: boolean }} [options]
 * @returns {Promise<string>}
 */
function pulumi(env, args, { quiet = false } = {}) {
  checkInterrupted();
  if (!quiet) say(`$ pulumi ${args.join(" ")}`);
  const child = spawn("pulumi", [...args, "--non-interactive"], {
    cwd: ROOT,
    env,
    stdio: ["ignore", quiet ? "pipe" : "inherit", "inherit"],
  });
  now.stop = () => void child.kill("SIGINT");
  let stdout = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk) => {
    stdout += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve(stdout) : reject(new Error(`pulumi ${args[0]} failed (${code})`)),
    );
  });
}

/**
 * Lists the tokens with a token, without this package's own client.
 * @param {string} url
 * @param {string} token
 * @returns {Promise<{ name: string, id: string, expiresAt?: string }[]>}
 */
async function listTokens(url, token) {
  const response = await fetch(`${url}/v2/tokens`, { headers: { authorization: `Bearer ${token}` } });
  if (response.status !== 200) throw new Error(`GET /v2/tokens with the new token returned ${response.status}`);
  return /** @type {any} */ (await response.json());
}

/**
 * Lists the files below a folder that contain a text.
 * @param {string} folder
 * @param {string} text
 */
async function findFilesWith(folder, text) {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const hits = [];
  for (const file of files) if ((await fs.readFile(file)).includes(text)) hits.push(file);
  return { searched: files.length, hits };
}

/**
 * Deploys, uses the token, looks for its secret in the state, and deploys again.
 * @param {Service} service
 * @param {NodeJS.ProcessEnv} env
 * @param {string} folder
 */
async function deploy(service, env, folder) {
  headline("First deployment");
  await pulumi(env, ["stack", "init", STACK]);
  await pulumi(env, ["up", "--yes", "--skip-preview", "--stack", STACK]);

  headline("The new token works");
  const token = (
    await pulumi(env, ["stack", "output", "token", "--show-secrets", "--stack", STACK], { quiet: true })
  ).trim();
  const tokens = await listTokens(service.url, token);
  say(
    `GET /v2/tokens with it: 200, ${tokens.length} token: ${tokens.map(({ name, id }) => `${name} (id ${id})`).join(", ")}`,
  );

  headline("The state contains no plain secret");
  const { searched, hits } = await findFilesWith(folder, token);
  say(
    `${searched} files searched (state, backups, history, the service's own data): ${hits.length} contain the secret`,
  );
  if (hits.length > 0) throw new Error(`the secret is in plain text in ${hits.join(", ")}`);

  headline("A second deployment changes nothing");
  await pulumi(env, ["up", "--yes", "--skip-preview", "--expect-no-changes", "--stack", STACK]);
}

/**
 * @param {Service} service
 * @param {NodeJS.ProcessEnv} env
 * @param {string} rootToken
 */
async function destroy(service, env, rootToken) {
  headline("Destroy");
  await pulumi(env, ["destroy", "--yes", "--skip-preview", "--stack", STACK]);
  for (const { name, id, expiresAt } of await listTokens(service.url, rootToken)) {
    say(`token ${name} (id ${id}) stays valid until ${expiresAt}: the documented interface cannot revoke it`);
  }
  say("the annotation stays too: the documented interface cannot delete one");
}

/**
 * @param {Service} service
 * @param {string} folder
 * @param {string} rootToken
 */
function explainKept(service, folder, rootToken) {
  headline("Left running");
  say(`The emulator is process ${service.pid}; its data and the Pulumi state are in ${folder}. To continue by hand:

  export PATH="$(npm run -s engine):$PWD/node_modules/.bin:$PATH"   # the engine, and a Node.js that it can use
  export PULUMI_BACKEND_URL=file://${folder}/backend PULUMI_CONFIG_PASSPHRASE=demo
  export EVENT_DATASETS_BASE_URL=${service.url} EVENT_DATASETS_ACCESS_TOKEN=${rootToken}
  pulumi stack select ${STACK}
  pulumi stack output token --show-secrets
  pulumi preview

To clean up:

  pulumi destroy --yes --stack ${STACK} && pulumi stack rm --yes ${STACK}
  kill ${service.pid} && rm -r ${folder}`);
}

async function main() {
  const { values } = parseArgs({ options: { keep: { type: "boolean" }, help: { type: "boolean" } } });
  if (values.help) return say(HELP);
  const keep = values.keep === true;
  listenForSignals();

  headline("A local service and an empty state, in a temporary folder");
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "event-datasets-demo-"));
  const rootToken = `xaat-${randomUUID()}`;
  await fs.mkdir(path.join(folder, "backend"));
  const service = await startEmulator(folder, rootToken, keep);
  say(`service ${service.url}, state ${folder}/backend`);
  const env = {
    ...process.env,
    PULUMI_BACKEND_URL: `file://${folder}/backend`,
    PULUMI_HOME: path.join(folder, "home"),
    PULUMI_CONFIG_PASSPHRASE: "demo",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    // Faster starts of Node.js: compiled code is kept, and `npm run check` has checked the types.
    NODE_COMPILE_CACHE: path.join(ROOT, "node_modules", ".cache", "pulumi-event-datasets", "compiled"),
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    EVENT_DATASETS_BASE_URL: service.url,
    EVENT_DATASETS_ACCESS_TOKEN: rootToken,
    EVENT_DATASETS_PROFILE: "",
  };
  let done = false;
  try {
    await deploy(service, env, folder);
    if (!keep) await destroy(service, env, rootToken);
    checkInterrupted();
    done = true;
  } finally {
    if (keep && done) explainKept(service, folder, rootToken);
    else {
      await service.stop();
      await fs.rm(folder, { recursive: true });
      await fs.rm(path.join(ROOT, `Pulumi.${STACK}.yaml`), { force: true });
    }
  }
  headline("Done");
}

main().catch((failure) => {
  process.stderr.write(`demo: ${failure instanceof Error ? failure.message : failure}\n`);
  process.exitCode = now.signal ? 128 + os.constants.signals[now.signal] : 1;
});
