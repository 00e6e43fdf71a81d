// @ts-check
import fs from "node:fs/promises";
import path from "node:path";
import { step } from "./log.mjs";
import { capture } from "./run.mjs";

/**
 * @typedef {{ version?: string, integrity?: string, resolved?: string, link?: boolean, optional?: boolean }} LockedPackage
 * @typedef {{ packages?: Record<string, LockedPackage> }} Lockfile
 */

/** The oldest Node.js that undici and the Pulumi SDK support. */
const OLDEST_NODE = /** @type {const} */ ([22, 19]);

/**
 * Installs the packages of package-lock.json, unless exactly these are installed.
 * @param {string} root
 * @param {import("./log.mjs").Log} log
 */
export async function ensureDependencies(root, log) {
  if (!(await areInstalled(root))) {
    await step({ log, every: 10 }, "installing the dependencies (npm ci)", () =>
      capture("npm", ["ci", "--no-audit", "--no-fund"], { cwd: root, env: withoutOwnBinaries(root) }),
    );
  }
  await requireNode(root);
}

/** @param {string} root */
async function areInstalled(root) {
  const [wanted, installed] = await Promise.all([
    readJson(path.join(root, "package-lock.json")),
    // npm writes this file last: an interrupted installation has none.
    readJson(path.join(root, "node_modules", ".package-lock.json")),
  ]);
  return wanted !== undefined && installed !== undefined && isSameInstallation(wanted, installed);
}

/**
 * Whether npm's record of an installation matches a lockfile. Optional packages may be missing: they are for other platforms.
 * @param {Lockfile} wanted
 * @param {Lockfile} installed
 */
export function isSameInstallation(wanted, installed) {
  const have = installed.packages ?? {};
  const want = wanted.packages ?? {};
  const nothingElse = Object.keys(have).every((place) => place in want);
  return (
    nothingElse &&
    Object.entries(want).every(([place, locked]) => {
      const found = have[place];
      if (place === "") return true;
      if (found === undefined) return locked.optional === true;
      return ["version", "integrity", "link"].every(
        (key) => found[/** @type {"version"} */ (key)] === locked[/** @type {"version"} */ (key)],
      );
    })
  );
}

/**
 * npm must not run on the Node.js in the folder that it deletes.
 * @param {string} root
 */
function withoutOwnBinaries(root) {
  const own = path.join(root, "node_modules");
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => !folder.startsWith(own));
  return { ...process.env, PATH: folders.join(path.delimiter) };
}

/**
 * The environment of our own commands: Node.js and the tools of this checkout come first.
 * @param {string} root
 * @param {string[]} folders more folders for the front of PATH
 */
export function withOwnBinaries(root, folders = []) {
  const front = [...folders, path.join(root, "node_modules", ".bin")];
  return { ...process.env, PATH: [...front, process.env.PATH ?? ""].join(path.delimiter) };
}

/** @param {string} root */
async function requireNode(root) {
  const version = (await capture("node", ["--version"], { env: withOwnBinaries(root) })).trim();
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new Error(
    `Node.js ${OLDEST_NODE.join(".")} or newer is needed, but this is ${version}. The dependencies bring a newer one ` +
      `for the platforms in scripts/node/package.json; on others, install one yourself`,
  );
}

/** @param {string} file */
async function readJson(file) {
  try {
    return JSON.parse(await fs.readFile(file, "utf8"));
  } catch {
    return undefined; // missing or damaged: npm installs again
  }
}
