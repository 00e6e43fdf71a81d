// @ts-check
import fs from "node:fs/promises";
import path from "node:path";
import { withOwnBinaries } from "./dependencies.mjs";
import { capture } from "./run.mjs";

/**
 * Whether any of the test files that jest would run drives the engine. A few unit tests must not wait for one to be built.
 * @param {string} root
 * @param {string} jest
 * @param {string[]} args as given to jest
 */
export async function needEngine(root, jest, args) {
  if (args.length === 0) return true;
  const listed = await capture("node", [jest, ...args, "--listTests"], { cwd: root, env: withOwnBinaries(root) });
  for (const file of listed.split("\n").filter((line) => path.isAbsolute(line))) {
    if (drivesEngine(path.relative(root, file), await fs.readFile(file, "utf8"))) return true;
  }
  return false;
}

/**
 * @param {string} file
 * @param {string} content
 */
export const drivesEngine = (file, content) =>
  file.split(path.sep).some((part) => part === "e2e" || part === "kills") || content.includes("support/engine");
