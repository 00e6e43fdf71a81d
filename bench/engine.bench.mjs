// @ts-check
import { mkdir, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { costOf, measureRounds } from "./measure.mjs";
import { programs } from "./programs.mjs";
import { accessToken, withEmulator } from "./service.mjs";

const root = path.resolve(import.meta.dirname, "..");
const LATENCY_MS = 50;

/** From this size on, two rounds have to do: one takes eight minutes. */
const LARGE = 1_000;

/** How often a round runs them: `preview` and `refresh` find no change. */
const times = { up: 1, preview: 3, refresh: 5, destroy: 1 };

const commands = {
  up: ["up", "--yes", "--skip-preview"],
  preview: ["preview", "--expect-no-changes"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  destroy: ["destroy", "--yes", "--skip-preview"],
};

/** @param {import("./run.mjs").Options} options */
export async function measureEngine({ rounds, tokens }) {
  const rows = [];
  for (const size of tokens) {
    const most = size < LARGE ? rounds : Math.min(rounds, 2);
    rows.push(...(await measureRounds(Object.keys(programs), most, (variant) => measureStack(variant, size))));
  }
  return rows;
}

/** One stack from `up` to `destroy`, with a service of its own. @param {string} variant @param {number} tokens */
const measureStack = (variant, tokens) =>
  withEmulator(async ({ emulator, folder }) => {
    const pulumi = await createStack(variant, tokens, emulator.url, folder);
    const state = path.join(folder, "backend/.pulumi/stacks/bench/bench.json");
    const action = { kind: "delay", ms: LATENCY_MS };
    for (const method of ["GET", "POST", "DELETE"]) emulator.inject({ method, path: "/*", times: Infinity, action });
    /** @type {Record<string, import("./measure.mjs").Figures[]>} */
    const figures = {};
    for (const [operation, count] of Object.entries(times)) {
      const subject = `${operation}, ${tokens} ${tokens === 1 ? "token" : "tokens"}`;
      figures[subject] = [];
      for (let run = 0; run < count; run++) {
        const before = emulator.calls.length;
        const cost = await pulumi(commands[/** @type {keyof typeof commands} */ (operation)]);
        const bytes = operation === "up" ? { "state B a token": (await stat(state)).size / tokens } : {};
        figures[subject].push({ ...cost, requests: emulator.calls.length - before, ...bytes });
      }
    }
    return figures;
  });

/**
 * Returns a function that runs a command on the new stack and measures it.
 * @param {string} variant
 * @param {number} tokens
 * @param {string} url of the service
 * @param {string} folder
 */
async function createStack(variant, tokens, url, folder) {
  const [cwd, backend] = [path.join(folder, "program"), path.join(folder, "backend")];
  for (const made of [cwd, backend]) await mkdir(made);
  await symlink(path.join(root, "node_modules"), path.join(cwd, "node_modules"));
  const files = { "Pulumi.yaml": "name: bench\nruntime: nodejs\n", "package.json": "{}", ...programs[variant] };
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(cwd, name), content);
  const env = {
    PATH: [path.join(root, "dist/native"), process.env.PATH].join(path.delimiter),
    HOME: folder,
    PULUMI_HOME: path.join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_CONFIG_PASSPHRASE: "bench",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    EVENT_DATASETS_BASE_URL: url,
    EVENT_DATASETS_ACCESS_TOKEN: accessToken,
    EVENT_DATASETS_PROFILE: "extended",
    TOKENS: String(tokens),
  };
  const pulumi = (/** @type {readonly string[]} */ args) =>
    costOf("pulumi", [...args, "--non-interactive", "--color", "never"], { cwd, env });
  await pulumi(["stack", "init", "bench"]);
  return pulumi;
}
