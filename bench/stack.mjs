// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { costOf } from "./cost.mjs";
import { programs } from "./programs.mjs";

const root = path.resolve(import.meta.dirname, "..");

/** The arguments of each operation that can be measured. `preview` is one that finds no change. */
export const operations = {
  up: ["up", "--yes", "--skip-preview"],
  preview: ["preview", "--expect-no-changes"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  destroy: ["destroy", "--yes", "--skip-preview"],
};

/** @typedef {keyof typeof operations} Operation */
/** @typedef {Awaited<ReturnType<typeof startService>>} Service */
/** @typedef {import("./cost.mjs").Cost & { requests: number }} Measurement */

/** @param {number} [latency] in milliseconds */
export async function startService(latency = 0) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "service.mjs"), String(latency)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [port] = await once(createInterface({ input: child.stdout }), "line");
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    /** The moments at which requests arrived. @returns {Promise<number[]>} */
    requests: async () => /** @type {number[]} */ (await (await fetch(`${url}/requests`)).json()),
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
 * A stack of one program in a temporary folder, with a service.
 * @template T
 * @param {import("./programs.mjs").Variant} variant
 * @param {{ tokens: number, latency: number }} options
 * @param {(stack: { cwd: string, env: NodeJS.ProcessEnv, log: string, file: string, service: Service }) => Promise<T>} work
 * gets the stack; `file` is where its state goes
 * @returns {Promise<T>}
 */
export async function withStack(variant, { tokens, latency }, work) {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-engine-"));
  const service = await startService(latency);
  try {
    const [cwd, home, backend] = ["program", "home", "backend"].map((name) => path.join(folder, name));
    if (!cwd || !home || !backend) throw new Error("unreachable");
    for (const name of [cwd, home, backend]) await mkdir(name);
    await writeProgram(cwd, programs[variant]);
    const env = { ...environmentOf({ home, backend, url: service.url }), TOKENS: String(tokens) };
    const log = path.join(folder, "log");
    await costOf("pulumi", ["stack", "init", "bench", ...plain], { cwd, env, log });
    return await work({ cwd, env, log, file: path.join(backend, ".pulumi/stacks/bench/bench.json"), service });
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Of every command. */
export const plain = ["--non-interactive", "--color", "never"];

/**
 * One stack of one program from `up` to `destroy`, each operation measured.
 * @param {import("./programs.mjs").Variant} variant
 * @param {{ tokens: number, latency: number }} options
 * @returns {Promise<{ operations: Record<Operation, Measurement>, bytes: number }>} bytes of the state after `up`
 */
export const measureStack = (variant, options) =>
  withStack(variant, options, async ({ service, file, ...where }) => {
    const measure = async (/** @type {Operation} */ operation) => {
      const { length: before } = await service.requests();
      const cost = await costOf("pulumi", [...operations[operation], ...plain], where);
      return { ...cost, requests: (await service.requests()).length - before };
    };
    const up = await measure("up");
    const { size: bytes } = await stat(file);
    const [preview, refresh] = [await measure("preview"), await measure("refresh")];
    return { operations: { up, preview, refresh, destroy: await measure("destroy") }, bytes };
  });

/** @param {{ home: string, backend: string, url: string }} places */
const environmentOf = ({ home, backend, url }) => ({
  PATH: [path.join(root, "dist/native"), process.env.PATH].join(path.delimiter),
  HOME: home,
  PULUMI_HOME: home,
  PULUMI_BACKEND_URL: `file://${backend}`,
  PULUMI_CONFIG_PASSPHRASE: "bench",
  PULUMI_SKIP_UPDATE_CHECK: "true",
  PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  EVENT_DATASETS_BASE_URL: url,
  EVENT_DATASETS_ACCESS_TOKEN: "xaat-bench",
  EVENT_DATASETS_PROFILE: "extended",
  AXIOM_URL: url,
  AXIOM_BASE_URL: url,
  AXIOM_API_TOKEN: "xaat-bench",
});
