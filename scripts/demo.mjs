// @ts-check
// Deploys the root program (index.ts) with the real Pulumi engine against the local emulator: a token, an annotation and a lookup.
// Everything that it creates is in a temporary folder and is removed at the end.
//   npm run demo              the whole story
//   npm run demo -- --keep    stops before it destroys: the emulator runs on until Ctrl-C, and the commands to go on by hand are printed
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { startEmulator } from "event-datasets-emulator";

const ROOT = path.resolve(import.meta.dirname, "..");
const STACK = "demo";

/** Ends the engine's current command at a signal, so that the clean-up below runs whatever stops the demo. */
const interruption = new AbortController();
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.on(signal, () => {
    if (!interruption.signal.aborted) say(`interrupted by ${signal}: cleaning up`);
    process.exitCode = 128 + os.constants.signals[signal];
    interruption.abort(signal);
  });
}

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);
const headline = (/** @type {string} */ title) => say(`\n== ${title}`);

/**
 * Runs the engine in the checkout. With `quiet` its output is returned instead of shown.
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} args
 * @param {{ quiet?: boolean }} [options]
 */
async function pulumi(env, args, { quiet = false } = {}) {
  interruption.signal.throwIfAborted();
  if (!quiet) say(`$ pulumi ${args.join(" ")}`);
  const child = spawn("pulumi", [...args, "--non-interactive", "--stack", STACK], {
    cwd: ROOT,
    env,
    stdio: ["ignore", quiet ? "pipe" : "inherit", "inherit"],
  });
  // A terminal sends Ctrl-C to the engine as well; a second signal would make the engine stop at once.
  const stop = () => (interruption.signal.reason === "SIGINT" && process.stdin.isTTY) || child.kill("SIGINT");
  interruption.signal.addEventListener("abort", stop);
  const [[code], printed] = await Promise.all([once(child, "close"), child.stdout ? text(child.stdout) : ""]);
  interruption.signal.removeEventListener("abort", stop);
  if (code !== 0) throw new Error(`pulumi ${args[0]} failed (${code})`);
  return printed;
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

/** @param {string} folder @param {string} secret */
async function expectSecretNowhere(folder, secret) {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  for (const file of files)
    if ((await fs.readFile(file)).includes(secret)) throw new Error(`the secret is in plain text in ${file}`);
  say(`${files.length} files searched (state, backups, history, the service's own data): none contains the secret`);
}

/**
 * @param {string} url
 * @param {NodeJS.ProcessEnv} env
 * @param {string} folder
 */
async function deploy(url, env, folder) {
  headline("First deployment");
  await pulumi(env, ["stack", "init"]);
  await pulumi(env, ["up", "--yes", "--skip-preview"]);

  headline("The new token works");
  const token = (await pulumi(env, ["stack", "output", "token", "--show-secrets"], { quiet: true })).trim();
  const names = (await listTokens(url, token)).map(({ name, id }) => `${name} (id ${id})`);
  say(`GET /v2/tokens with it: 200, ${names.length} token: ${names.join(", ")}`);

  headline("The state contains no plain secret");
  await expectSecretNowhere(folder, token);

  headline("A second deployment changes nothing");
  await pulumi(env, ["up", "--yes", "--skip-preview", "--expect-no-changes"]);
}

/** @param {string} url @param {NodeJS.ProcessEnv} env @param {string} rootToken */
async function destroy(url, env, rootToken) {
  headline("Destroy");
  await pulumi(env, ["destroy", "--yes", "--skip-preview"]);
  for (const { name, id, expiresAt } of await listTokens(url, rootToken))
    say(`token ${name} (id ${id}) stays valid until ${expiresAt}: the profile "documented" cannot revoke it`);
  say('the annotation stays too: the profile "documented" cannot delete one');
}

/** Waits until somebody stops the demo. @param {NodeJS.ProcessEnv} settings */
async function keep(settings) {
  headline("Still running, until you press Ctrl-C");
  const exports = Object.entries(settings).map(([name, value]) => `  export ${name}=${value}`);
  say(`To go on by hand, in another terminal in this folder:

  export PATH="$(npm run -s engine):$PWD/node_modules/.bin:$PATH"   # the engine, and a Node.js that it can use
${exports.join("\n")}
  pulumi preview --stack ${STACK}`);
  const open = setInterval(() => {}, 60_000);
  await once(interruption.signal, "abort");
  clearInterval(open);
}

async function main() {
  const { values } = parseArgs({ options: { keep: { type: "boolean", default: false } } });
  headline("A local service and an empty state, in a temporary folder");
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "event-datasets-demo-"));
  const service = await startEmulator({ dataDir: path.join(folder, "service") });
  try {
    await fs.mkdir(path.join(folder, "backend"));
    say(`service ${service.url}, state ${folder}/backend`);
    const settings = {
      PULUMI_BACKEND_URL: `file://${folder}/backend`,
      PULUMI_HOME: path.join(folder, "home"),
      PULUMI_CONFIG_PASSPHRASE: "demo",
      EVENT_DATASETS_BASE_URL: service.url,
      EVENT_DATASETS_ACCESS_TOKEN: service.rootToken,
    };
    const faster = {
      PULUMI_SKIP_UPDATE_CHECK: "true",
      NODE_COMPILE_CACHE: path.join(ROOT, "node_modules", ".cache", "pulumi-event-datasets", "compiled"),
      PULUMI_NODEJS_TRANSPILE_ONLY: "true", // `npm run check` has checked the types
    };
    const env = { ...process.env, ...settings, ...faster, EVENT_DATASETS_PROFILE: "" };
    await deploy(service.url, env, folder);
    if (values.keep) await keep(settings);
    else await destroy(service.url, env, service.rootToken);
  } finally {
    await service.close();
    await fs.rm(folder, { recursive: true });
    await fs.rm(path.join(ROOT, `Pulumi.${STACK}.yaml`), { force: true });
  }
  headline("Done");
}

main().catch((failure) => {
  process.stderr.write(`demo: ${failure instanceof Error ? failure.message : failure}\n`);
  process.exitCode ||= 1;
});
