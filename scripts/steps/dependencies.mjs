// @ts-check
import fs from "node:fs/promises";
import path from "node:path";
import { step } from "./log.mjs";
import { capture } from "./run.mjs";

/** @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean }} LockedPackage */
/** @typedef {{ packages?: Record<string, LockedPackage> }} Lockfile */

/** The oldest Node.js that undici and the Pulumi SDK support. */
const OLDEST_NODE = "22.19.0";

/**
 * Installs the packages of package-lock.json, unless exactly these are installed.
 * @param {string} root
 * @param {import("./log.mjs").Log} log
 */
export async function ensureDependencies(root, log) {
  // npm writes the second file last: an interrupted installation has none.
  const files = ["package-lock.json", "node_modules/.package-lock.json"].map((file) => readJson(path.join(root, file)));
  const [wanted, installed] = await Promise.all(files);
  if (!isSameInstallation(wanted, installed)) {
    await step(log, "installing the dependencies (npm ci)", () =>
      capture("npm", ["ci", "--no-audit", "--no-fund"], { cwd: root, env: withoutOwnBinaries(root) }),
    );
  }
  const version = (await capture("node", ["--version"], { env: withOwnBinaries(root) })).trim().slice(1);
  if (version.localeCompare(OLDEST_NODE, "en", { numeric: true }) >= 0) return;
  throw new Error(
    `Node.js ${OLDEST_NODE} or newer is needed, but this is ${version}. The dependencies bring a newer one ` +
      `for the platforms in scripts/node/package.json; on others, install one yourself`,
  );
}

/**
 * Whether npm's record of an installation matches a lockfile. Optional packages may be missing: they are for other platforms.
 * @param {Lockfile | undefined} wanted
 * @param {Lockfile | undefined} installed
 */
export function isSameInstallation(wanted, installed) {
  const [want, have] = [wanted?.packages ?? {}, installed?.packages ?? {}];
  const isSame = (/** @type {LockedPackage} */ a, /** @type {LockedPackage} */ b) =>
    a.version === b.version && a.integrity === b.integrity && a.link === b.link;
  return (
    Object.keys(have).every((place) => place in want) &&
    Object.entries(want).every(([place, locked]) => {
      const found = have[place];
      return place === "" || (found ? isSame(found, locked) : locked.optional === true);
    })
  );
}

/**
 * npm must not run on the Node.js in the folder that it deletes.
 * @param {string} root
 */
export function withoutOwnBinaries(root) {
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

/** @param {string} file @returns {Promise<Lockfile | undefined>} */
async function readJson(file) {
  try {
    return JSON.parse(await fs.readFile(file, "utf8"));
  } catch {
    return undefined; // missing or damaged: npm installs again
  }
}
