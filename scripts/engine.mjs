// @ts-check
import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { withLock } from "./steps/lock.mjs";
import { buildEngine, downloadEngine, isDownloadReachable } from "./steps/makeEngine.mjs";
import { capture } from "./steps/run.mjs";

/** @typedef {import("./steps/log.mjs").Log} Log */
/** @typedef {{ dir: string, version: string, source: "PATH" | "cache" | "download" | "build" }} Engine */
/**
 * `installed` resolves when the npm packages are there.
 * @typedef {{ root: string, env: NodeJS.ProcessEnv, version: string, log: Log, installed: Promise<void> }} Context
 */
/**
 * Puts an engine into the given folder, or throws the reason for its failure. A way that is not likely to work comes last.
 * @typedef {object} Way
 * @property {"download" | "build"} source
 * @property {string} name
 * @property {(folder: string, context: Context) => Promise<void>} make
 * @property {(env: NodeJS.ProcessEnv) => Promise<boolean>} [isLikely]
 */

/** The tested engine, and the newest one that the Go module proxy has. */
export const ENGINE_VERSION = "3.259.0";
/** Older engines drop the inputs that a provider's `read` returns, so drift would not show. */
const OLDEST = /** @type {const} */ ([3, 216]);
const COMMAND = "pulumi";
/** The programs that the engine starts: the hosts of Node.js programs and of dynamic providers. */
const PLUGINS = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];
export const PIECES = [COMMAND, ...PLUGINS];

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

/** @type {Way[]} */
export const WAYS = [
  { source: "download", name: "the official download", make: downloadEngine, isLikely: isDownloadReachable },
  { source: "build", name: "a build from Go modules", make: buildEngine },
];

/**
 * Finds, downloads or builds the Pulumi engine; `dir` is the folder to put on PATH.
 * @param {{ log: Log, root?: string, env?: NodeJS.ProcessEnv, ways?: Way[], installed?: Promise<void> }} options
 * @returns {Promise<Engine>}
 */
export async function ensureEngine({
  log,
  root = ROOT,
  env = process.env,
  ways = WAYS,
  installed = Promise.resolve(),
}) {
  /** @type {string[]} */
  const reasons = [];
  const found = await onPath(env).catch((reason) => void reasons.push(`the Pulumi CLI on PATH: ${messageOf(reason)}`));
  if (found) return found;

  const folder = path.join(cacheFolder(env), "engine", await cacheKey(root));
  const engine = { dir: path.join(folder, "bin"), version: ENGINE_VERSION };
  if (await hasPieces(engine.dir)) return { ...engine, source: "cache" };
  return withLock(`${folder}.lock`, log, async () => {
    if (await hasPieces(engine.dir)) return { ...engine, source: "cache" };
    for (const way of await likelyFirst(ways, env)) {
      try {
        await makeAside(folder, (draft) => way.make(draft, { root, env, version: ENGINE_VERSION, log, installed }));
        return { ...engine, source: way.source };
      } catch (reason) {
        reasons.push(`${way.name}: ${messageOf(reason)}`);
      }
    }
    throw new Error(explain(reasons));
  });
}

/**
 * @param {Way[]} ways
 * @param {NodeJS.ProcessEnv} env
 */
async function likelyFirst(ways, env) {
  const areLikely = await Promise.all(ways.map((way) => way.isLikely?.(env) ?? true));
  return [...ways.filter((_, at) => areLikely[at]), ...ways.filter((_, at) => !areLikely[at])];
}

/** @param {string[]} reasons */
function explain(reasons) {
  return [
    "no Pulumi engine was found and none could be made. Tried, in this order:",
    ...reasons.map((reason) => `  - ${reason.replaceAll("\n", "\n    ")}`),
    `Install the Pulumi CLI, ${OLDEST.join(".")} or newer (https://www.pulumi.com/docs/install), or Go 1.25.11 or newer, and try again.`,
  ].join("\n");
}

/**
 * The engine on PATH, if it is new enough and has its plugins.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Engine>}
 */
async function onPath(env) {
  const folders = (env.PATH ?? "").split(path.delimiter).filter((folder) => folder !== "");
  const command = await firstIn(folders, COMMAND);
  if (command === undefined) throw new Error("there is none");
  const printed = await capture(command, ["version"], {
    env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    timeoutMs: 20_000,
  });
  const version = parseVersion(printed);
  if (version === undefined) throw new Error(`${command} does not say its version but "${printed.trim()}"`);
  if (!isNewEnough(version)) throw new Error(`${command} is ${version}; ${OLDEST.join(".")} or newer is needed`);
  for (const plugin of PLUGINS) {
    const found = await firstIn([path.dirname(await fs.realpath(command)), ...folders], plugin);
    if (found === undefined) throw new Error(`${command} has no ${plugin} beside it or on PATH`);
  }
  return { dir: path.dirname(command), version, source: "PATH" };
}

/**
 * Reads the output of `pulumi version`; the result has no leading v.
 * @param {string} printed
 */
export const parseVersion = (printed) => /^v?(\d+\.\d+\.\d+[^\s]*)/m.exec(printed)?.[1];

/** @param {string} version */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** @param {NodeJS.ProcessEnv} env */
export function cacheFolder(env) {
  // The XDG specification says to ignore relative paths.
  const named = env.XDG_CACHE_HOME ?? "";
  const base = path.isAbsolute(named) ? named : path.join(env.HOME || os.homedir(), ".cache");
  return path.join(base, "pulumi-event-datasets");
}

/**
 * Other modules result in another engine, and so does another machine that shares the home folder.
 * @param {string} root
 */
export async function cacheKey(root) {
  const hash = createHash("sha256").update(`${process.platform}/${process.arch}\0`);
  for (const module of ["cli", "language-nodejs"]) {
    for (const file of ["go.mod", "go.sum"])
      hash.update(await fs.readFile(path.join(root, "scripts", "engine", module, file)));
  }
  return `${ENGINE_VERSION}-${hash.digest("hex").slice(0, 12)}`;
}

/**
 * Builds under another name and renames at the end, so that an interrupted run leaves nothing that looks complete.
 * @param {string} folder
 * @param {(draft: string) => Promise<void>} make
 */
async function makeAside(folder, make) {
  const draft = `${folder}.draft-${process.pid}`;
  try {
    await fs.mkdir(path.join(draft, "bin"), { recursive: true });
    await make(draft);
    if (!(await hasPieces(path.join(draft, "bin")))) throw new Error(`it did not bring all of ${PIECES.join(", ")}`);
    const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
    await capture(path.join(draft, "bin", COMMAND), ["version"], { env, timeoutMs: 60_000 });
    await fs.rm(folder, { recursive: true, force: true });
    await fs.rename(draft, folder);
  } finally {
    await fs.rm(draft, { recursive: true, force: true });
  }
}

/** @param {string} folder */
async function hasPieces(folder) {
  for (const piece of PIECES) if ((await firstIn([folder], piece)) === undefined) return false;
  return true;
}

/**
 * @param {string[]} folders
 * @param {string} name
 */
async function firstIn(folders, name) {
  for (const folder of folders) {
    const file = path.join(folder, name);
    const usable = await fs.access(file, fs.constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable) return file;
  }
  return undefined;
}

/** @param {unknown} reason */
const messageOf = (reason) => (reason instanceof Error ? reason.message : String(reason));
