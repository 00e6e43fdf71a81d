// @ts-check
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startOfJest } from "./steps/jest.mjs";
import { attach, exitLike } from "./steps/run.mjs";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

/** The number of runs of each kind; `npm test` runs fewer. */
const DEFAULT_RUNS = "10000";

const { values, positionals } = parseArgs({
  options: { seed: { type: "string" }, runs: { type: "string" } },
  allowPositionals: true,
});
for (const [option, value] of Object.entries(values)) {
  if (!/^\d+$/.test(String(value))) throw new Error(`--${option}: must be a whole number`);
}
const env = {
  ...process.env,
  EVENT_DATASETS_FUZZ_RUNS: values.runs ?? DEFAULT_RUNS,
  ...(values.seed === undefined ? {} : { EVENT_DATASETS_FUZZ_SEED: values.seed }),
};
/** Properties stand beside the other tests of their subject. */
const properties = globSync("tests/**/*.test.ts", { cwd: ROOT }).filter((file) =>
  readFileSync(path.join(ROOT, file), "utf8").includes('from "fast-check"'),
);
const selected = positionals.length > 0 ? positionals : ["tests/fuzz", ...properties];
exitLike(await attach(process.execPath, [...(await startOfJest(ROOT)), ...selected], { cwd: ROOT, env }));
