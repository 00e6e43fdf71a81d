// @ts-check
import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";

/** Files that biome formats; it refuses others. */
const FORMATTED = /\.(json|md|ts)$/;

/**
 * Makes the whole text of each file that it is responsible for, by the file's path in the tree.
 * @typedef {(root: string) => Promise<Record<string, string>>} Make
 */
/** @typedef {{ name: string, make: Make }} Generator */

/**
 * Writes the generated files that differ from what their generators make; with `isCheck` it only names them.
 * @param {{
 *   root: string, generators: readonly Generator[], isCheck: boolean, log: import("../steps/log.mjs").Log,
 *   format?: typeof formatLikeTheTree
 * }} options
 * @returns {Promise<string[]>} the files that were outdated
 */
export async function produce({ root, generators, isCheck, log, format = formatLikeTheTree }) {
  const outdated = [];
  for (const { name, make } of generators) {
    const made = await make(root).catch((failure) => {
      throw new Error(`cannot make the ${name}: ${failure.message}`, { cause: failure });
    });
    for (const [file, raw] of Object.entries(made)) {
      const wanted = await format(root, file, raw);
      if (wanted === (await readIfThere(path.join(root, file)))) continue;
      outdated.push(file);
      if (!isCheck) await fs.writeFile(path.join(root, file), wanted);
      log(isCheck ? `${file} is outdated (${name}): run npm run generate` : `wrote ${file} (${name})`);
    }
  }
  if (outdated.length === 0) log("every generated file is up to date");
  return outdated;
}

/** @param {string} file */
async function readIfThere(file) {
  try {
    return await fs.readFile(file, "utf8");
  } catch (failure) {
    if (/** @type {NodeJS.ErrnoException} */ (failure).code === "ENOENT") return undefined;
    throw failure;
  }
}

/**
 * The text as the formatter wants it, so that `npm run check` accepts it. Files that biome.json excludes stay as they are.
 * @param {string} root
 * @param {string} file
 * @param {string} content
 */
export async function formatLikeTheTree(root, file, content) {
  if (!FORMATTED.test(file)) return content;
  const biome = path.join(root, "node_modules", ".bin", "biome");
  const child = spawn(biome, ["format", `--stdin-file-path=${file}`], { cwd: root });
  child.stdin.end(content);
  const ended = new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  const [formatted, complaint, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(`${file} cannot be formatted: ${complaint}`);
  return formatted;
}
