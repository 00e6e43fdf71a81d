// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { costOf } from "../cost.mjs";
import { programs } from "./programs.mjs";

const root = path.resolve(import.meta.dirname, "../..");

/** The arguments of each operation that can be measured. `preview` is one that finds no change. */
export const operations = {
  up: ["up", "--yes", "--skip-preview"],
  preview: ["preview", "--expect-no-changes"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  destroy: ["destroy", "--yes", "--skip-preview"],
};

/** @typedef {keyof typeof operations} Operation */
/** @typedef {import("../cost.mjs").Cost & { requests: number }} Measurement */

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
 * One stack of one program from `up` to `destroy`, each operation measured.
 * @param {import("./programs.mjs").Variant} variant
 * @param {{ tokens: number, latency: number }} options
 * @returns {Promise<{ operations: Record<Operation, Measurement>, bytes: number }>} bytes of the state after `up`
 */
export async function measureStack(variant, { tokens, latency }) {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-engine-"));
  const service = await startService(latency);
  try {
    const [program, home, backend] = ["program", "home", "backend"].map((name) => path.join(folder, name));
    if (!program || !home || !backend) throw new Error("unreachable");
    for (const name of [program, home, backend]) await mkdir(name);
    await writeProgram(program, programs[variant]);
    const env = { ...environmentOf({ home, backend, url: service.url }), TOKENS: String(tokens) };
    const where = { cwd: program, env, log: path.join(folder, "log") };
    const pulumi = (/** @type {readonly string[]} */ args) =>
      costOf("pulumi", [...args, "--non-interactive", "--color", "never"], where);
    await pulumi(["stack", "init", "bench"]);
    const measure = async (/** @type {Operation} */ operation) => {
      const before = await service.requests();
      const cost = await pulumi(operations[operation]);
      return { ...cost, requests: (await service.requests()) - before };
    };
    const up = await measure("up");
    const { size: bytes } = await stat(path.join(backend, ".pulumi/stacks/bench/bench.json"));
    const [preview, refresh] = [await measure("preview"), await measure("refresh")];
    return { operations: { up, preview, refresh, destroy: await measure("destroy") }, bytes };
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

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
