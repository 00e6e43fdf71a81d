// @ts-check
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import { withLock } from "../steps/lock.mjs";
import { capture } from "../steps/run.mjs";
import { forms, managers, nodes } from "./combinations.mjs";

/** @typedef {import("./combinations.mjs").Combination} Combination */

/** Only what hangs takes so long. */
export const LIMIT_MS = 1_200_000;

/**
 * The folder with the programs of an npm package, which is installed once and kept.
 * @param {string} root of the checkout
 * @param {string} spec such as "pnpm@12.21.0"
 */
export async function ensureTool(root, spec) {
  const folder = path.join(root, ".cache", "matrix", spec.replaceAll(/[@/]/g, "-"));
  const bin = path.join(folder, "node_modules", ".bin");
  await withLock(
    `${folder}.lock`,
    () => undefined,
    async () => {
      if (existsSync(bin)) return;
      await fs.mkdir(folder, { recursive: true });
      await writeJson(path.join(folder, "package.json"), { private: true });
      // The package `node` downloads its binary in a script; this project's .npmrc allows none.
      const args = ["install", "--ignore-scripts=false", "--prefer-offline", "--no-audit", "--no-fund", spec];
      await capture("npm", args, { cwd: folder, timeoutMs: LIMIT_MS });
    },
  );
  return bin;
}

/**
 * Packs the built package.
 * @param {string} root
 * @param {string} folder where the tarball goes
 */
export async function pack(root, folder) {
  await fs.mkdir(folder, { recursive: true });
  const printed = await capture("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root });
  const packed = path.join(folder, printed.trim().split("\n").at(-1) ?? "");
  // Package managers cache a file by its path, so other content needs another name.
  const hash = createHash("sha256")
    .update(await fs.readFile(packed))
    .digest("hex")
    .slice(0, 12);
  const tarball = path.join(folder, `package-${hash}.tgz`);
  await fs.rename(packed, tarball);
  return tarball;
}

/**
 * The folders for the front of PATH: the combination's Node.js, then its package manager.
 * @param {string} root
 * @param {Combination} combination
 */
export async function toolsOf(root, { manager, node }) {
  const own = process.versions.node.startsWith(`${node}.`) ? path.dirname(process.execPath) : undefined;
  const tool = managers[manager]?.tool;
  return [own ?? (await ensureTool(root, nodes[node] ?? "")), ...(tool ? [await ensureTool(root, tool)] : [])];
}

/**
 * Writes the program and installs what it depends on, as a user would.
 * @param {string} folder
 * @param {Combination} combination
 * @param {string} tarball
 * @param {NodeJS.ProcessEnv} env
 */
export async function installProgram(folder, combination, tarball, env) {
  const manager = managers[combination.manager];
  const form = forms[combination.form];
  if (!manager || !form) throw new Error(`unknown combination: ${JSON.stringify(combination)}`);
  const typescript = form.typescript ? { typescript: form.typescript, "@types/node": "22.20.5" } : {};
  const files = { ...manager.files, ...form.files, "Pulumi.yaml": "name: matrix\nruntime: nodejs\n" };
  await fs.mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) await fs.writeFile(path.join(folder, name), content);
  await writeJson(path.join(folder, "package.json"), {
    name: "matrix",
    version: "1.0.0",
    private: true,
    ...(form.type ? { type: form.type } : {}),
    ...(form.typescript ? {} : { main: "index.js" }),
    dependencies: { "pulumi-event-datasets": `file:${tarball}`, "@pulumi/pulumi": combination.sdk, ...typescript },
  });
  await capture(manager.bin, manager.install, { cwd: folder, env, timeoutMs: LIMIT_MS });
}

/** @param {string} file @param {unknown} value */
const writeJson = (file, value) => fs.writeFile(file, `${JSON.stringify(value, undefined, 2)}\n`);
