// @ts-check
import { existsSync } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import { cacheFolder, ensureCached, hashOfFiles } from "./steps/cache.mjs";
import { goBuild } from "./steps/goBuild.mjs";
import { step } from "./steps/log.mjs";
import { capture, endAll } from "./steps/run.mjs";

/** `installed` resolves when the npm packages are there. */
/** @typedef {{ root: string, env: NodeJS.ProcessEnv, log: import("./steps/log.mjs").Log, installed?: Promise<unknown> }} Context */
/** Without a version, any engine on PATH that is new enough is taken, and `ENGINE_VERSION` is made. @typedef {Context & { version?: string }} Options */

/** The tested engine: the newest one whose source the Go module proxy has. */
export const ENGINE_VERSION = "3.276.0";
/** Older engines drop the inputs that a provider's `read` returns, so drift would not show. */
const OLDEST = "3.216.0";
const COMMAND = "pulumi";
/** The programs that the engine starts: the hosts of Node.js programs and of dynamic providers. */
const [HOST, DYNAMIC_HOST] = /** @type {const} */ (["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]);

const MINUTE_MS = 60_000;

/**
 * Finds, downloads or builds the Pulumi engine.
 * @param {Options} options
 * @returns {Promise<string>} the folder to put on PATH
 */
export async function ensureEngine(options) {
  const { root, env, log, version = ENGINE_VERSION } = options;
  /** @type {string[]} */
  const reasons = [];
  const attempt = async (/** @type {string} */ name, /** @type {Promise<string>} */ work) =>
    work.catch((failure) => void reasons.push(`  - ${name}: ${failure.message.replaceAll("\n", "\n    ")}`));

  const found = await attempt("the Pulumi CLI on PATH", findOnPath(env, options.version));
  if (found !== undefined) {
    log(`using the Pulumi engine of ${found}`);
    return found;
  }
  const modules = existsSync(path.join(root, "scripts", "engine", moduleOf(version))) ? [moduleOf(version)] : [];
  const sources = [...modules, "language-nodejs"].flatMap(goFilesOf);
  const folder = await ensureCached({
    folder: path.join(cacheFolder(env), "engine", `${version}-${await hashOfFiles(root, sources)}`),
    log,
    async make(draft) {
      const bin = path.join(draft, "bin");
      await fs.mkdir(bin);
      const made =
        (await attempt("the official download", download(bin, { ...options, version }))) ??
        (await attempt("a build from Go modules", build(bin, { ...options, version })));
      if (made === undefined) throw new Error(explain(reasons));
    },
  });
  return path.join(folder, "bin");
}

/** @param {readonly string[]} reasons */
const explain = (reasons) =>
  [
    "no Pulumi engine was found and none could be made. Tried, in this order:",
    ...reasons,
    `Install the Pulumi CLI, ${OLDEST} or newer (https://www.pulumi.com/docs/install), or Go 1.26.6 or newer, and try again.`,
  ].join("\n");

/**
 * The folder of an engine on PATH that has its plugins, and the wanted version if there is one.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [wanted]
 */
async function findOnPath(env, wanted) {
  const folders = (env.PATH ?? "").split(path.delimiter).filter((folder) => folder !== "");
  const command = await findProgram(folders, COMMAND);
  if (command === undefined) throw new Error("there is none");
  const printed = await versionOf(command, env);
  const version = /^v?(\d+\.\d+\.\d+\S*)/m.exec(printed)?.[1];
  if (version === undefined) throw new Error(`${command} does not say its version but "${printed.trim()}"`);
  if (version.localeCompare(OLDEST, "en", { numeric: true }) < 0)
    throw new Error(`${command} is ${version}; ${OLDEST} or newer is needed`);
  if (wanted !== undefined && version !== wanted) throw new Error(`${command} is ${version}; ${wanted} is wanted`);
  for (const plugin of [HOST, DYNAMIC_HOST]) {
    const found = await findProgram([path.dirname(await fs.realpath(command)), ...folders], plugin);
    if (found === undefined) throw new Error(`${command} has no ${plugin} beside it or on PATH`);
  }
  return path.dirname(command);
}

/** @param {string} command @param {NodeJS.ProcessEnv} env */
const versionOf = (command, env) =>
  capture(command, ["version"], { env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" }, timeoutMs: MINUTE_MS });

/** @param {readonly string[]} folders @param {string} name */
export async function findProgram(folders, name) {
  for (const file of folders.map((folder) => path.join(folder, name))) {
    const isProgram = await fs.access(file, fs.constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isProgram) return file;
  }
  return undefined;
}

/**
 * Downloads what Pulumi's install script does. A machine that does not reach the server fails within seconds.
 * @param {string} bin
 * @param {Context & { version: string }} options
 */
async function download(bin, { env, log, version }) {
  const url = `https://get.pulumi.com/releases/sdk/pulumi-v${version}-${process.platform}-${process.arch}.tar.gz`;
  const curl = ["curl", "--fail", "--silent", "--show-error", "--location", "--connect-timeout", "10", url].join(" ");
  const command = `${curl} | tar -xz -C "$1" --strip-components=1`;
  await step(log, `downloading the Pulumi engine ${version}`, () =>
    capture("sh", ["-c", command, "sh", bin], { env, timeoutMs: 5 * MINUTE_MS }),
  );
  await versionOf(path.join(bin, COMMAND), env);
  return bin;
}

/**
 * Builds the engine from Go modules: many machines reach the module proxy but not the engine's download. The host of dynamic
 * providers is a script in the npm package.
 * @param {string} bin
 * @param {Context & { version: string }} options
 */
async function build(bin, { root, env, log, installed, version }) {
  await capture("go", ["version"], { env }).catch(() => {
    throw new Error("Go is not installed (no working `go` on PATH)");
  });
  const cli = moduleOf(version);
  if (!existsSync(path.join(root, "scripts", "engine", cli))) throw new Error(`there is no scripts/engine/${cli}`);
  const engine = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
  const host = `github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/${HOST}`;
  const linking = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;
  // At once: while the modules of the larger one are downloaded, the other is compiled.
  await step(log, `building the Pulumi engine ${version} with Go (about 4 minutes, only once)`, () =>
    endAll([
      goBuild({ root, env, module: "language-nodejs", out: path.join(bin, HOST), sources: [host], linking }),
      goBuild({ root, env, module: cli, out: path.join(bin, COMMAND), sources: [engine], linking }),
    ]),
  );
  await versionOf(path.join(bin, COMMAND), env);
  await installed;
  const script = path.join(bin, DYNAMIC_HOST);
  await fs.copyFile(path.join(root, "node_modules", "@pulumi", "pulumi", DYNAMIC_HOST), script);
  await fs.chmod(script, 0o755);
  return bin;
}

/** The folder of scripts/engine that pins the modules of a version. @param {string} version */
const moduleOf = (version) => (version === ENGINE_VERSION ? "cli" : `cli-${version}`);

/** @param {string} module a folder of scripts/engine */
export const goFilesOf = (module) => ["go.mod", "go.sum"].map((file) => `scripts/engine/${module}/${file}`);
