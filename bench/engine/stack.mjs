// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { declared, programs } from "./programs.mjs";
import { costOf } from "./tree.mjs";

const root = path.resolve(import.meta.dirname, "../..");

/** The arguments of each operation that can be measured. `preview` is one that finds no change. */
export const operations = {
  up: ["up", "--yes", "--skip-preview"],
  preview: ["preview"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  destroy: ["destroy", "--yes", "--skip-preview"],
};

/** @typedef {keyof typeof operations} Operation */
/** @typedef {import("./tree.mjs").Cost & { requests: number }} Measurement */

/** @param {number} latency in milliseconds */
export async function startService(latency) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "service.mjs"), String(latency)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [port] = await once(createInterface({ input: child.stdout }), "line");
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    requests: async () => Number(await (await fetch(`${url}/requests`)).text()),
    async stop() {
      child.stdin.end();
      await once(child, "close");
    },
  };
}

/** @param {string} folder @param {Readonly<Record<string, string>>} program */
async function writeProgram(folder, program) {
  const modules = path.join(folder, "node_modules");
  await mkdir(path.join(modules, "@pulumi"), { recursive: true });
  await symlink(root, path.join(modules, "pulumi-event-datasets"));
  for (const name of ["@pulumi/pulumi", "typescript"]) {
    await symlink(path.join(root, "node_modules", name), path.join(modules, name));
  }
  const files = { "Pulumi.yaml": "name: bench\nruntime: nodejs\n", "package.json": '{"name":"bench"}\n', ...program };
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
}

/**
 * Bytes of a state: of the whole file, of all tokens' inputs and outputs, and of what the program did not declare of those.
 * @param {string} state
 */
function sizeOf(state) {
  /** @type {{ type: string, inputs: object, outputs: object }[]} */
  const resources = JSON.parse(state).checkpoint.latest.resources;
  const bags = resources
    .filter(({ type, inputs }) => inputs !== undefined && !type.startsWith("pulumi:"))
    .flatMap(({ inputs, outputs }) => [inputs, outputs]);
  const isOwn = (/** @type {[string, unknown]} */ [key]) => !declared.includes(key);
  const lengthOf = (/** @type {object[]} */ all) => all.reduce((sum, bag) => sum + JSON.stringify(bag).length, 0);
  const own = bags.map((bag) => Object.fromEntries(Object.entries(bag).filter(isOwn)));
  return { bytes: state.length, stored: lengthOf(bags), own: lengthOf(own) };
}

/**
 * One stack of one program from `up` to `destroy`, each operation measured. Those in between can be left out.
 * @param {string} variant
 * @param {{ tokens: number, latency: number, profile: string, wanted: readonly Operation[] }} options
 * @returns {Promise<{ operations: Partial<Record<Operation, Measurement>> } & ReturnType<typeof sizeOf>>}
 */
export async function measureStack(variant, { tokens, latency, profile, wanted }) {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-engine-"));
  const service = await startService(latency);
  try {
    const [program, home, backend] = ["program", "home", "backend"].map((name) => path.join(folder, name));
    if (!program || !home || !backend) throw new Error("unreachable");
    for (const name of [program, home, backend]) await mkdir(name);
    await writeProgram(program, programs[variant] ?? {});
    const env = {
      PATH: [path.join(root, "dist/native"), process.env.PATH].join(path.delimiter),
      HOME: home,
      PULUMI_HOME: home,
      PULUMI_BACKEND_URL: `file://${backend}`,
      PULUMI_CONFIG_PASSPHRASE: "bench",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      EVENT_DATASETS_BASE_URL: service.url,
      EVENT_DATASETS_ACCESS_TOKEN: "xaat-bench",
      EVENT_DATASETS_PROFILE: profile,
      AXIOM_URL: service.url,
      AXIOM_BASE_URL: service.url,
      AXIOM_API_TOKEN: "xaat-bench",
      TOKENS: String(tokens),
    };
    const where = { cwd: program, env, log: path.join(folder, "log") };
    const pulumi = (/** @type {string[]} */ args) =>
      costOf("pulumi", [...args, "--non-interactive", "--color", "never"], where);
    await pulumi(["stack", "init", "bench"]);
    /** @type {Partial<Record<Operation, Measurement>>} */
    const measured = {};
    let size = { bytes: 0, stored: 0, own: 0 };
    for (const [name, args] of Object.entries(operations)) {
      const operation = /** @type {Operation} */ (name);
      if (operation !== "up" && !wanted.includes(operation)) continue;
      const before = await service.requests();
      const cost = await pulumi(operation === "preview" ? [...args, "--expect-no-changes"] : args);
      measured[operation] = { ...cost, requests: (await service.requests()) - before };
      if (operation === "up") {
        size = sizeOf(await readFile(path.join(backend, ".pulumi/stacks/bench/bench.json"), "utf8"));
      }
    }
    return { operations: measured, ...size };
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
