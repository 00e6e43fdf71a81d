// @ts-check
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { attach, exitLike } from "./steps/run.mjs";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const JEST = path.join(ROOT, "node_modules", "jest", "bin", "jest.js");
const DOCUMENT = path.join(ROOT, "docs", "reliability.md");

/**
 * @param {string[]} args
 * @param {Record<string, string>} more
 */
const jest = (args, more = {}) =>
  attach(process.execPath, [JEST, ...args], { cwd: ROOT, env: { ...process.env, ...more } });

// First every cell, then what is written of them: a matrix that does not hold is not written.
const cells = await jest(["tests/faults", "--testPathIgnorePatterns", "document", ...process.argv.slice(2)]);
if (cells.code !== 0) exitLike(cells);
else {
  const written = await jest(["tests/faults/document", "--silent"], { EVENT_DATASETS_WRITE_MATRIX: "true" });
  if (written.code !== 0) exitLike(written);
  else {
    const text = await readFile(DOCUMENT, "utf8");
    process.stdout.write(text.slice(text.indexOf("\n### ") + 1));
  }
}
