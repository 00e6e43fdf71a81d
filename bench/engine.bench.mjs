// @ts-check
import { mkdir, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { costOf, measureRounds, mergeRows } from "./measure.mjs";
import { programs } from "./programs.mjs";
import { accessToken, withEmulator } from "./service.mjs";

const root = path.resolve(import.meta.dirname, "..");
const LATENCY_MS = 50;

/** From this size on, two rounds have to do: one takes eight minutes. */
const LARGE = 1_000;

/** How often a round runs them: `preview` and `refresh` find no change. */
const times = { up: 1, preview: 3, refresh: 5, destroy: 1 };

/** @typedef {(operation: string) => Promise<import("./measure.mjs").Figures>} Run on one stack */
/** @type {Readonly<Record<string, string[]>>} */
const commands = {
  up: ["up", "--yes", "--skip-preview"],
  preview: ["preview", "--expect-no-changes"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  destroy: ["destroy", "--yes", "--skip-preview"],
};

/** The variants take turns with each command, so that they meet the same machine. @param {import("./run.mjs").Options} options */
export async function measureEngine({ rounds, tokens }) {
  /** @type {import("./measure.mjs").Row[]} */
  const rows = [];
  for (const size of tokens) {
    for (let round = 0; round < (size < LARGE ? rounds : Math.min(rounds, 2)); round++) {
      await withStacks(Object.keys(programs), size, async (stacks) => {
        for (const [operation, count] of Object.entries(times)) {
          const subject = `${operation}, ${size} ${size === 1 ? "token" : "tokens"}`;
          const run = async (/** @type {string} */ variant) => ({
            [subject]: (await stacks[variant]?.(operation)) ?? {},
          });
          rows.push(...(await measureRounds(Object.keys(stacks), count, run)));
        }
      });
    }
  }
  return mergeRows(rows);
}

/**
 * Works with a stack of each variant, each with a service of its own.
 * @param {readonly string[]} variants @param {number} tokens
 * @param {(stacks: Readonly<Record<string, Run>>) => Promise<void>} work @param {Readonly<Record<string, Run>>} [opened]
 * @returns {Promise<void>}
 */
const withStacks = ([variant, ...others], tokens, work, opened = {}) =>
  variant === undefined
    ? work(opened)
    : withEmulator(async ({ emulator, folder }) => {
        const pulumi = await createStack(variant, tokens, emulator.url, folder);
        const state = path.join(folder, "backend/.pulumi/stacks/bench/bench.json");
        const action = { kind: "delay", ms: LATENCY_MS };
        for (const method of ["GET", "POST", "DELETE"])
          emulator.inject({ method, path: "/*", times: Infinity, action });
        /** @type {Run} */
        const run = async (operation) => {
          const before = emulator.calls.length;
          const cost = await pulumi(commands[operation] ?? []);
          const bytes = operation === "up" ? { "state B a token": (await stat(state)).size / tokens } : {};
          return { ...cost, requests: emulator.calls.length - before, ...bytes };
        };
        return withStacks(others, tokens, work, { ...opened, [variant]: run });
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
