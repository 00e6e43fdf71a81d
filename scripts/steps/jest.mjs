// @ts-check
import path from "node:path";
import { withOwnBinaries } from "./dependencies.mjs";
import { capture } from "./run.mjs";

/**
 * The arguments of `node` that start Jest, before Jest's own. Jest keeps a context for each test. With the default of Node.js 24, which
 * 22 knows as this option, it needs a sixth less CPU time.
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function startOfJest(root) {
  const option = "--experimental-async-context-frame";
  const question = `process.allowedNodeEnvironmentFlags.has("${option}")`;
  const isKnown =
    (await capture("node", ["-p", question], { cwd: root, env: withOwnBinaries(root) })).trim() === "true";
  return [...(isKnown ? [option] : []), jestOf(root)];
}

/** @param {string} root */
export const jestOf = (root) => path.join(root, "node_modules", "jest", "bin", "jest.js");
