// @ts-check
import fs from "node:fs/promises";
import path from "node:path";
import { withOwnBinaries } from "./dependencies.mjs";
import { capture } from "./run.mjs";

/**
 * Finds which programs the selected test files need. Unit tests must not wait for the build of an engine, and most engine tests must
 * not wait for the hosts of other languages.
 * @param {string} root
 * @param {string} jest
 * @param {string[]} args as given to jest
 */
export async function findNeeds(root, jest, args) {
  if (args.length === 0) return { engine: true, languages: true };
  const listed = await capture("node", [jest, ...args, "--listTests"], { cwd: root, env: withOwnBinaries(root) });
  const needs = { engine: false, languages: false };
  for (const file of listed.split("\n").filter((line) => path.isAbsolute(line))) {
    const name = path.relative(root, file);
    if (drivesEngine(name, await fs.readFile(file, "utf8"))) needs.engine = true;
    if (drivesLanguages(name)) needs.engine = needs.languages = true;
  }
  return needs;
}

/** @param {string} file */
export const drivesLanguages = (file) => file.split(path.sep).join("/").startsWith("tests/native/languages/");

/**
 * A suite outside of these folders is known by its import of `support/engine`, or by a comment that names it.
 * @param {string} file
 * @param {string} content
 */
export const drivesEngine = (file, content) =>
  file.split(path.sep).some((part) => part === "e2e" || part === "kills") || /(?:support|"\.)\/engine\b/.test(content);
