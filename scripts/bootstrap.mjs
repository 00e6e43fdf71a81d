// @ts-check
// Every `npm run` command of this project comes here: it sets up what the command needs, and runs it.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ensureEngine } from "./engine.mjs";
import { ensureLanguageHosts, ensureLanguagePrograms } from "./languages.mjs";
import { runMatrix } from "./matrix.mjs";
import { ensureBuild } from "./steps/build.mjs";
import { ensureDependencies, withOwnBinaries } from "./steps/dependencies.mjs";
import { withLock } from "./steps/lock.mjs";
import { log } from "./steps/log.mjs";
import { attach, exitLike, forwardSignals, interruptedCode, stopRunning } from "./steps/run.mjs";
import { findNeeds, selectTests, startOfJest, suites } from "./steps/tests.mjs";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

/** The commands besides those that run tests. @type {Record<string, (args: string[]) => Promise<unknown>>} */
const commands = {
  check,
  build: () => prepare(),
  /** Prints the engine's folder, for PATH. */
  engine: async () => process.stdout.write(`${await prepareWithEngine({ build: false })}\n`),
  demo: async (args) => run("node", ["scripts/demo.mjs", ...args], [await prepareWithEngine()]),
  bench: async (args) => run("node", ["bench/run.mjs", ...args], [await prepareWithEngine()]),
  /** Writes every generated file; `--check` only names the outdated ones. */
  generate: (args) => prepare().then(() => run("node", ["scripts/generate.mjs", ...args])),
  /** Runs the promises with other versions of the Pulumi CLI and SDK. */
  async matrix(args) {
    await prepare();
    if (!(await runMatrix(context(), args))) process.exitCode = 1;
  },
  /** Builds the documentation site into .cache/site: plain files for any web server. */
  docs: (args) => prepare().then(() => run("node", ["scripts/docs.mjs", ...args])),
  /** Lets the public clients call every operation on the emulator, and records their requests. */
  witnesses: (args) => prepare().then(() => run("node", ["scripts/witnesses.mjs", ...args])),
  /** Checks the facts about the service at EVENT_DATASETS_BASE_URL. */
  acceptance: (args) => prepare().then(() => run("node", ["scripts/acceptance.mjs", ...args])),
  async cli(args) {
    await prepare();
    // Paths among the arguments are relative to the user's folder.
    await run("node", [path.join(ROOT, "dist/cli/main.js"), ...args], [], {
      cwd: process.env.INIT_CWD ?? process.cwd(),
    });
  },
};

/** Takes a lock, because two first runs must not install or build into the same folder at once. */
function prepare({ build = true } = {}) {
  return withLock(path.join(ROOT, ".cache", "bootstrap.lock"), log, async () => {
    await ensureDependencies(ROOT, log);
    if (build) await ensureBuild(ROOT, log);
  });
}

/** Makes a first engine beside everything else: most of that needs no npm package. */
async function prepareWithEngine(options = {}) {
  const installed = prepare(options);
  const [folder] = await Promise.all([ensureEngine({ ...context(), installed }), installed]);
  return folder;
}

const context = () => ({ root: ROOT, env: withOwnBinaries(ROOT), log });

/**
 * @param {string} name of a command that runs tests
 * @param {string[]} words
 */
async function runTests(name, words) {
  const { args, env } = selectTests(name, words);
  const first = args.length === 0 ? await prepareWithEngine() : void (await prepare());
  const needs = first ? { engine: true, languages: true } : await findNeeds(ROOT, args);
  const engine = first ?? (needs.engine ? await ensureEngine(context()) : undefined);
  const hosts = engine && needs.languages ? await languageHosts(engine) : undefined;
  const folders = [engine, hosts].filter((folder) => folder !== undefined);
  await run("node", [...(await startOfJest(ROOT)), ...args], folders, { env });
}

/** @param {string} engine */
async function languageHosts(engine) {
  try {
    const hosts = ensureLanguageHosts({ ...context(), engine });
    const [folder] = await Promise.all([hosts, ensureLanguagePrograms(context())]);
    return folder;
  } catch (failure) {
    report(failure);
    log("the tests of YAML, Python and Go programs will fail"); // no other test needs Go or Python
    return undefined;
  }
}

/**
 * Runs the actual command, and exits with its code or signal.
 * @param {string} command
 * @param {string[]} args
 * @param {string[]} [folders] for the front of PATH
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
async function run(command, args, folders = [], { cwd = ROOT, env = {} } = {}) {
  exitLike(await attach(command, args, { cwd, env: { ...withOwnBinaries(ROOT, folders), ...env } }));
}

/** Runs every check even after one failed, so that one run shows every problem. */
async function check() {
  const layered = ["values", "sdk", "framework", "gate", "provider", "audit", "cli", "emulator"];
  // Biome colours what it writes into files and pipes too.
  const colours = process.stderr.isTTY ? [] : ["--colors=off"];
  /** @type {[name: string, passes: () => Promise<boolean>][]} */
  const checks = [
    // First, because the examples' types come from dist/.
    ["build", () => prepare().then(() => true, report)],
    ["format and lint", () => passes("biome", ["ci", ".", ...colours])],
    ["layers", () => passes("depcruise", [...layered, "--no-progress"])],
    ["types", () => compiles(".")],
    // Separate, because the engine reads tsconfig.json too and must not compile JavaScript.
    ["types of the scripts", () => compiles("scripts")],
    // Separate, because only code for a browser may use the DOM.
    ["types of browser tests", () => compiles("tests/browser")],
    ["types of the emulator's page", () => compiles("emulator/page")],
    ["generated files", () => passes("node", ["scripts/generate.mjs", "--check"])],
  ];
  const failed = [];
  for (const [name, passes] of checks) if (!(await passes())) failed.push(name);
  log(failed.length === 0 ? "all checks passed" : `failed: ${failed.join(", ")}`);
  if (failed.length > 0) process.exitCode = 1;
}

/** The compiler skips files that have not changed since the last run. @param {string} folder with a tsconfig.json */
function compiles(folder) {
  const memory = `node_modules/.cache/pulumi-event-datasets/types-${path.basename(path.resolve(ROOT, folder))}.json`;
  return passes("tsc", ["--noEmit", "--incremental", "--tsBuildInfoFile", memory, "-p", folder]);
}

/** @param {string} command @param {string[]} args */
const passes = async (command, args) =>
  (await attach(command, args, { cwd: ROOT, env: withOwnBinaries(ROOT) })).code === 0;

/** @param {unknown} failure */
function report(failure) {
  log(failure instanceof Error ? failure.message : String(failure));
  return false;
}

async function main() {
  if (process.platform === "win32") throw new Error("these scripts do not run on Windows; use WSL, Linux or macOS");
  const [name = "", ...args] = process.argv.slice(2);
  forwardSignals();
  if (Object.hasOwn(suites, name)) await runTests(name, args);
  else if (Object.hasOwn(commands, name)) await commands[name]?.(args);
  else throw new Error(`usage: npm run <${[...Object.keys(suites), ...Object.keys(commands)].join("|")}> [-- args…]`);
}

main().catch((failure) => {
  if (interruptedCode() === undefined) report(failure); // an interruption explains its own failures
  stopRunning();
  process.exitCode = interruptedCode() ?? 1;
});
