// @ts-check
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startOfJest } from "./steps/jest.mjs";
import { attach, exitLike } from "./steps/run.mjs";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

const { values } = parseArgs({
  options: {
    instants: { type: "string" },
    seed: { type: "string" },
    only: { type: "string" },
    form: { type: "string", default: "dynamic" },
  },
});
if (values.form !== "dynamic" && values.form !== "native") throw new Error("--form: must be dynamic or native");
for (const [option, value] of Object.entries({ instants: values.instants, seed: values.seed })) {
  if (value !== undefined && !/^\d+$/.test(String(value))) throw new Error(`--${option}: must be a whole number`);
}
const env = {
  ...process.env,
  EVENT_DATASETS_KILL_INSTANTS: values.instants ?? "200",
  EVENT_DATASETS_KILL_FORM: values.form,
  ...(values.only === undefined ? {} : { EVENT_DATASETS_KILL_ONLY: values.only }),
  ...(values.seed === undefined ? {} : { EVENT_DATASETS_FUZZ_SEED: values.seed }),
};
exitLike(await attach(process.execPath, [...(await startOfJest(ROOT)), "tests/kills"], { cwd: ROOT, env }));
