// @ts-check
import fs from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { ensureEngine } from "./engine.mjs";
import { ensureLanguageHosts } from "./languages.mjs";
import { withSdk } from "./matrix/checkout.mjs";
import { combinations, compare, formatTable, judge, suitesFor } from "./matrix/promises.mjs";
import { withOwnBinaries } from "./steps/dependencies.mjs";
import { step } from "./steps/log.mjs";
import { attach, capture, interruptedCode } from "./steps/run.mjs";
import { startOfJest } from "./steps/tests.mjs";

/** @typedef {{ root: string, env: NodeJS.ProcessEnv, log: import("./steps/log.mjs").Log }} Context */

/** The recorded outcomes, which docs/reference/settings.md shows. @param {string} root */
export const tableFile = (root) => path.join(root, "scripts", "matrix", "table.json");

/**
 * Runs the suites of the promises with other versions of the Pulumi CLI and SDK.
 *   npm run matrix                           each combination; fails if an outcome differs from the table
 *   npm run matrix -- 3.216.0/3.276.0        these versions of the CLI and the SDK; `latest` is the newest SDK's version
 *   npm run matrix -- --write                records the outcomes in the table
 *   npm run matrix -- --workers 1            with so many workers of Jest
 * @param {Context} context
 * @param {string[]} args
 * @returns {Promise<boolean>} whether the outcomes are those of the table
 */
export async function runMatrix(context, args) {
  const { root, log } = context;
  const options = /** @type {const} */ ({ write: { type: "boolean" }, workers: { type: "string" } });
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const recorded = JSON.parse(await fs.readFile(tableFile(root), "utf8"));
  /** @type {Record<string, import("./matrix/promises.mjs").Outcomes>} */
  const found = {};
  for (const wanted of positionals.length > 0 ? positionals : combinations) {
    const combination = await resolveLatest(context, wanted);
    found[combination] = await step(log, `the promises with CLI/SDK ${combination}`, () =>
      runCombination(context, combination, values.workers),
    );
  }
  process.stdout.write(`${formatTable(found)}\n`);
  const differences = Object.entries(found).flatMap(([one, outcomes]) => compare(one, outcomes, recorded[one]));
  for (const difference of differences) log(difference);
  if (!values.write) return differences.length === 0;
  const table = combinations.map((one) => [one, found[one] ?? recorded[one]]);
  await fs.writeFile(tableFile(root), `${JSON.stringify(Object.fromEntries(table), undefined, 2)}\n`);
  return true;
}

/** @param {Context} context @param {string} combination */
async function resolveLatest({ root, env }, combination) {
  if (!combination.includes("latest")) return combination;
  const version = await capture("npm", ["view", "@pulumi/pulumi", "version"], { cwd: root, env });
  return combination.replaceAll("latest", version.trim());
}

/**
 * @param {Context} context
 * @param {string} combination
 * @param {string} [workers]
 */
async function runCombination(context, combination, workers) {
  const [cli = "", sdk = ""] = combination.split("/");
  const engine = await ensureEngine({ ...context, version: cli });
  const wanted = suitesFor(combination);
  const hosts = await ensureLanguageHosts({ ...context, engine });
  return withSdk(context, sdk, async (folder) => {
    const report = path.join(folder, "matrix.json");
    const suites = Object.values(wanted).flat();
    const options = ["--json", "--outputFile", report, ...(workers ? ["--maxWorkers", workers] : [])];
    // An installed engine has all hosts, as users have them. The host of Node.js programs that is built from Go modules is older.
    const ownHosts = hosts === engine ? { EVENT_DATASETS_ENGINE_HOSTS: "true" } : {};
    const env = { ...withOwnBinaries(folder, [engine, hosts]), ...ownHosts };
    // The tests' own failures are in the report.
    await attach("node", [...(await startOfJest(folder)), ...options, ...suites], { cwd: folder, env });
    if (interruptedCode() !== undefined) throw new Error("the matrix was interrupted");
    return judge(wanted, JSON.parse(await fs.readFile(report, "utf8")), folder);
  });
}
