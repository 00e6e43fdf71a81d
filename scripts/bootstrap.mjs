// @ts-check
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ensureEngine } from "./engine.mjs";
import { ensureLanguageHosts } from "./languageHosts.mjs";
import { ensureLanguagePrograms } from "./languagePrograms.mjs";
import { ensureBuild } from "./steps/build.mjs";
import { ensureDependencies, withOwnBinaries } from "./steps/dependencies.mjs";
import { jestOf, startOfJest } from "./steps/jest.mjs";
import { withLock } from "./steps/lock.mjs";
import { log } from "./steps/log.mjs";
import { attach, exitLike, forwardSignals, interruptedCode, stopRunning } from "./steps/run.mjs";
import { findNeeds } from "./steps/selectedTests.mjs";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const GENERATE = path.join(ROOT, "scripts", "generate.mjs");
const COMPILER = path.join(ROOT, "node_modules", "typescript", "lib", "tsc.js");

/** Biome colours what it writes into files and pipes too. */
const COLOURS = process.stderr.isTTY ? [] : ["--colors=off"];

/** The folders whose imports the layer table restricts. */
const LAYERED = ["values", "sdk", "framework", "provider", "audit", "cli", "emulator", "testing"];

/** @typedef {(args: string[]) => Promise<void>} Command */

/** @type {Record<string, Command>} */
const commands = {
  async demo(args) {
    await run("node", [path.join(ROOT, "scripts", "demo.mjs"), ...args], [await prepareWithEngine()]);
  },
  async test(args) {
    await (args.length === 0 ? prepareWithEngine() : prepare());
    await runJest(args, await foldersFor(args));
  },
  check,
  build: () => prepare(),
  async engine() {
    process.stdout.write(`${await prepareWithEngine({ build: false })}\n`);
  },
  /** Writes every generated file; `--check` only names the outdated ones. */
  async generate(args) {
    await prepare();
    await run("node", [GENERATE, ...args], []);
  },
  /** Packs the package and checks it. Only `test` runs the check that needs an engine. */
  async package(args) {
    await prepare();
    await runJest(["tests/package", "--testPathIgnorePatterns", "tests/package/install", ...args]);
  },
  /** Records a state with the current version: a step of a release, see CONTRIBUTING.md. */
  async fixture() {
    await prepare();
    await run("node", [path.join(ROOT, "scripts", "stateFixture.mjs")], [await engineFolder()]);
  },
  /** Every fault on real sockets. `generate` writes the outcomes into the table of design/reliability.md. */
  async faults(args) {
    await prepare();
    await runJest(["tests/faults", ...args]);
  },
  /** The pictures of the documentation, in a real browser. */
  async screenshots(args) {
    await prepare();
    await run("node", [path.join(ROOT, "scripts", "screenshots.mjs"), ...args], [await engineFolder()]);
  },
  /** Random input, audits and queries, 10,000 of each (`--runs`); `--seed` repeats a failure. */
  async fuzz(args) {
    await prepare();
    await run("node", [path.join(ROOT, "scripts", "fuzz.mjs"), ...args], []);
  },
  /** Lets the public clients call every operation on the emulator, and records their requests. */
  async witnesses(args) {
    await prepare();
    await run("node", [path.join(ROOT, "scripts", "witnesses.mjs"), ...args], []);
  },
  /** Kills engine, provider and service at random instants of the real engine's commands: `--instants`, `--seed`. */
  async kills(args) {
    await prepare();
    await run("node", [path.join(ROOT, "scripts", "kills.mjs"), ...args], [await engineFolder()]);
  },
  async bench(args) {
    await prepare();
    const names = args.filter((argument) => /^[a-z]+$/.test(argument));
    const engine =
      names.length === 0 || names.includes("engine") || names.includes("startup") ? [await engineFolder()] : [];
    await run("node", [path.join(ROOT, "bench", "run.mjs"), ...args], engine);
  },
  /** Builds the documentation site into .cache/site: plain files for any web server. */
  async docs() {
    await prepare();
    await run("node", [path.join(ROOT, "scripts", "docs.mjs")], []);
  },
  /** Deploys with every package manager, form of program, SDK and Node.js; writes the table of design/compatibility.md. */
  async matrix(args) {
    await prepare();
    await run("node", [path.join(ROOT, "scripts", "installMatrix.mjs"), ...args], []);
  },
  async cli(args) {
    await prepare();
    // Paths among the arguments are relative to the user's folder.
    const cwd = process.env.INIT_CWD ?? process.cwd();
    await run("node", [path.join(ROOT, "dist", "cli", "main.js"), ...args], [], cwd);
  },
};

/** Takes a lock, because two first runs must not install or build into the same folder at once. */
function prepare({ build = true } = {}) {
  return withLock(path.join(ROOT, ".cache", "bootstrap.lock"), log, async () => {
    await ensureDependencies(ROOT, log);
    if (build) await ensureBuild(ROOT, log);
  });
}

/**
 * Makes a first engine beside everything else: its build needs no npm package.
 * @param {{ build?: boolean }} [options]
 */
async function prepareWithEngine(options) {
  const prepared = prepare(options);
  const [folder] = await Promise.all([engineFolder(prepared), prepared]);
  return folder;
}

/**
 * The programs that the selected tests start, as folders for PATH.
 * @param {string[]} args as given to jest
 */
async function foldersFor(args) {
  const { engine, languages } = await findNeeds(ROOT, jestOf(ROOT), args);
  if (!engine) return [];
  const folder = await engineFolder();
  return [folder, ...(languages ? await languageFolders(folder) : [])];
}

/**
 * Without Go or Python only the tests of these languages fail.
 * @param {string} engine
 */
async function languageFolders(engine) {
  const options = { root: ROOT, env: withOwnBinaries(ROOT), log };
  try {
    const [folders] = await Promise.all([ensureLanguageHosts({ ...options, engine }), ensureLanguagePrograms(options)]);
    return folders;
  } catch (failure) {
    report(failure);
    log("the tests of YAML, Python and Go programs will fail");
    return [];
  }
}

async function engineFolder(installed = Promise.resolve()) {
  const { dir, version, source } = await ensureEngine({ log, root: ROOT, env: withOwnBinaries(ROOT), installed });
  if (source === "PATH") log(`using the Pulumi engine ${version} of ${dir}`);
  return dir;
}

/**
 * Runs the actual command, and exits with its code or signal.
 * @param {string} command
 * @param {string[]} args
 * @param {string[]} folders for the front of PATH
 */
async function run(command, args, folders, cwd = ROOT) {
  exitLike(await attach(command, args, { cwd, env: withOwnBinaries(ROOT, folders) }));
}

/**
 * @param {string[]} args
 * @param {string[]} [folders] for the front of PATH
 */
async function runJest(args, folders = []) {
  await run("node", [...(await startOfJest(ROOT)), ...args], folders);
}

/** Runs every check even after one failed, so that one run shows every problem. */
async function check() {
  await withLock(path.join(ROOT, ".cache", "bootstrap.lock"), log, () => ensureDependencies(ROOT, log));
  /** @type {[name: string, check: () => Promise<boolean>][]} */
  const checks = [
    // First, because the examples' types come from dist/.
    ["build", () => prepare().then(() => true, report)],
    ["format and lint", () => passes("biome", ["ci", ".", ...COLOURS])],
    ["layers", () => passes("depcruise", [...LAYERED, "--no-progress"])],
    ["types", () => compiles(".")],
    // Separate, because the engine reads tsconfig.json too and must not compile JavaScript.
    ["types of the scripts", () => compiles("scripts")],
    // Separate, because only code for a browser may use the DOM.
    ["types of browser tests", () => compiles("tests/browser")],
    ["types of the emulator's page", () => compiles("emulator/page")],
    ["generated files", () => passes("node", [GENERATE, "--check"])],
  ];
  const failed = [];
  for (const [name, passes] of checks) if (!(await passes())) failed.push(name);
  log(failed.length === 0 ? "all checks passed" : `failed: ${failed.join(", ")}`);
  if (failed.length > 0) process.exitCode = 1;
}

/** @param {string} folder with a tsconfig.json */
function compiles(folder) {
  // The compiler skips files that have not changed since the last run.
  const name = `types-${path.basename(path.resolve(ROOT, folder))}.json`;
  const memory = path.join(ROOT, "node_modules", ".cache", "pulumi-event-datasets", name);
  return passes("node", [COMPILER, "--noEmit", "--incremental", "--tsBuildInfoFile", memory, "-p", folder]);
}

/**
 * @param {string} command
 * @param {string[]} args
 */
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
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined)
    throw new Error(`usage: node scripts/bootstrap.mjs <${Object.keys(commands).join("|")}> [args…]`);
  forwardSignals();
  await command(args);
}

main().catch((failure) => {
  if (interruptedCode() === undefined) report(failure); // an interruption explains its own failures
  stopRunning();
  process.exitCode = interruptedCode() ?? 1;
});
