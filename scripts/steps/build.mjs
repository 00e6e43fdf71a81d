// @ts-check
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import { bundleCommandLine, bundlePage, bundlePlugin } from "./bundles.mjs";
import { withOwnBinaries } from "./dependencies.mjs";
import { step } from "./log.mjs";
import { makeParser } from "./parser.mjs";
import { attach } from "./run.mjs";

/** The emulator is a separate package, built first because the others need its output. */
const EMULATOR = "emulator";
/** The folders and files that decide the output of the build. */
const SOURCES = [
  ...["values", "sdk", "framework", "gate", "provider", "audit", "cli", EMULATOR, "scripts/steps"],
  ...["tsconfig.json", "tsconfig.build.json", "package.json", "package-lock.json", "schema.json"],
];
const BUILT = ["dist", "schemas", `${EMULATOR}/dist`];
/** The files of dist/ that the compiler does not write. */
const ASSETS = ["cli/reports/html/page.css"];

/** Where the hash of the sources is that dist/ came from. @param {string} root */
const stampOf = (root) => path.join(root, "node_modules", ".cache", "pulumi-event-datasets", "build");

/** @param {string} root @param {string} hash of the sources */
async function cameFrom(root, hash) {
  const built = await fs.readFile(stampOf(root), "utf8").catch(() => undefined);
  return built === hash && BUILT.every((folder) => existsSync(path.join(root, folder)));
}

/** Whether dist/ came from exactly these sources. @param {string} root */
export const isCurrent = async (root) => cameFrom(root, await hashOf(root));

/**
 * Compiles into dist/, unless dist/ came from exactly these sources.
 * @param {string} root
 * @param {import("./log.mjs").Log} log
 */
export async function ensureBuild(root, log) {
  const cache = path.dirname(stampOf(root));
  const stamp = stampOf(root);
  await makeParser(root);
  const wanted = await hashOf(root);
  if (await cameFrom(root, wanted)) return;

  await step(log, "building dist/ (tsc, esbuild)", async () => {
    // Compiled aside and swapped in: a failed build leaves dist/ alone, and no file of a deleted source stays.
    const fresh = path.join(cache, `build-${process.pid}`);
    const swapIn = async (/** @type {string} */ place) => {
      await fs.rm(stamp, { force: true });
      await fs.rm(path.join(root, place), { recursive: true, force: true });
      await fs.rename(fresh, path.join(root, place));
    };
    try {
      await compileEmulator(root, fresh);
      await swapIn(`${EMULATOR}/dist`);
      await compile(root, fresh);
      await swapIn("dist");
      await fs.cp(path.join(root, "audit", "schemas"), fresh, { recursive: true });
      await swapIn("schemas"); // their published paths are permanent
      await fs.writeFile(stamp, wanted);
    } finally {
      await fs.rm(fresh, { recursive: true, force: true });
    }
  });
}

/**
 * Builds the content of dist/.
 * @param {string} root
 * @param {string} folder
 * @param {string[]} flags more options of the compiler
 */
export async function compile(root, folder, ...flags) {
  await runCompiler(root, "tsconfig.build.json", folder, flags);
  for (const file of ASSETS) await fs.copyFile(path.join(root, file), path.join(folder, file));
  await bundlePlugin(root, folder);
  await bundleCommandLine(root, folder);
  await fs.chmod(path.join(folder, "cli", "main.js"), 0o755);
}

/**
 * Builds the content of emulator/dist/.
 * @param {string} root
 * @param {string} folder
 * @param {string[]} flags more options of the compiler
 */
export async function compileEmulator(root, folder, ...flags) {
  await runCompiler(root, path.join(EMULATOR, "tsconfig.build.json"), folder, flags);
  await bundlePage(path.join(root, EMULATOR, "page"), path.join(folder, "page"));
  await fs.chmod(path.join(folder, "main.js"), 0o755);
}

/** @param {string} root @param {string} settings @param {string} folder @param {readonly string[]} flags */
async function runCompiler(root, settings, folder, flags) {
  const options = { cwd: root, env: withOwnBinaries(root), stdoutToStderr: true };
  const { code } = await attach("tsc", ["-p", settings, "--outDir", folder, ...flags], options);
  if (code !== 0) throw new Error("the build failed: the compiler's messages are above");
}

/** A hash of everything that decides the output. @param {string} root */
export async function hashOf(root) {
  const hash = createHash("sha256");
  for (const file of await sourcesOf(root)) {
    const content = await fs.readFile(path.join(root, file), "utf8");
    hash.update(`${file}\0${content.length}\0${content}`);
  }
  return hash.digest("hex");
}

/** @param {string} root */
async function sourcesOf(root) {
  const files = [];
  for (const source of SOURCES.filter((one) => existsSync(path.join(root, one)))) {
    if ((await fs.stat(path.join(root, source))).isFile()) files.push(source);
    else
      for (const entry of await fs.readdir(path.join(root, source), { recursive: true, withFileTypes: true }))
        if (entry.isFile()) files.push(path.relative(root, path.join(entry.parentPath, entry.name)));
  }
  return files.filter((file) => !/^emulator\/(dist|node_modules)\//.test(file)).sort();
}
