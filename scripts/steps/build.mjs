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
import { writeSbom } from "./sbom.mjs";

const SOURCES = ["values", "sdk", "framework", "provider", "audit", "cli"];
/** A separate package, built first because the others need its output. */
const EMULATOR = "emulator";
/** Sources that dist/ does not contain, with their path in the package; null: they keep their path in the tree. */
const APART = {
  "audit/schemas": "schemas",
  "audit/templates": null,
  "audit/pack/PulumiPolicy.yaml": null,
  "audit/pack/package.json": null,
};
/** The output of the build. If a file of it is missing, the build runs again. */
const BUILT = ["dist", "schemas", "emulator/dist"];
/** The files that decide the result, besides the sources: versions, peers, the compiler and its settings. */
const SETTINGS = [
  "tsconfig.json",
  "tsconfig.build.json",
  "emulator/tsconfig.build.json",
  "emulator/package.json",
  "package.json",
  "package-lock.json",
  "schema.json",
  "scripts/steps/build.mjs",
  "scripts/steps/bundles.mjs",
  "scripts/steps/notices.mjs",
  "scripts/steps/sbom.mjs",
  "scripts/steps/undici.cjs",
];

/**
 * Compiles into dist/, unless dist/ came from exactly these sources.
 * @param {string} root
 * @param {import("./log.mjs").Log} log
 */
export async function ensureBuild(root, log) {
  const dist = path.join(root, "dist");
  const cache = path.join(root, "node_modules", ".cache", "pulumi-event-datasets");
  const stamp = path.join(cache, "build");
  if (existsSync(path.join(root, EMULATOR))) await makeParser(root);
  const wanted = await hashOf(root);
  if (await isComplete(root, await contentOf(stamp), wanted)) return;

  await step({ log }, "building dist/ (tsc, esbuild)", async () => {
    // Compiled aside and swapped in: a failed build leaves dist/ alone, and no file of a deleted source stays.
    const fresh = path.join(cache, `build-${process.pid}`);
    const swapIn = async (/** @type {string} */ place) => {
      await fs.rm(stamp, { force: true });
      await fs.rm(place, { recursive: true, force: true });
      await fs.rename(fresh, place);
    };
    try {
      if (existsSync(path.join(root, EMULATOR))) {
        await compileEmulator(root, fresh);
        await swapIn(path.join(root, EMULATOR, "dist"));
      }
      await compile(root, fresh);
      await swapIn(dist);
      await publishApart(root);
      await fs.writeFile(stamp, await stampOf(root, wanted));
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
  await copyAssets(root, folder);
  const bundles = [await bundlePlugin(root, folder)];
  await bundleCommandLine(root, folder);
  await writeSbom(root, folder, bundles);
  const main = path.join(folder, "cli", "main.js");
  if (existsSync(main)) await fs.chmod(main, 0o755);
}

/**
 * Builds the content of emulator/dist/.
 * @param {string} root
 * @param {string} folder
 * @param {string[]} flags more options of the compiler
 */
export async function compileEmulator(root, folder, ...flags) {
  await runCompiler(root, path.join(EMULATOR, "tsconfig.build.json"), folder, flags);
  const page = await bundlePage(path.join(root, EMULATOR, "page"), path.join(folder, "page"));
  await writeSbom(root, folder, [page], EMULATOR);
  await fs.chmod(path.join(folder, "main.js"), 0o755);
}

/**
 * @param {string} root
 * @param {string} settings
 * @param {string} folder
 * @param {readonly string[]} flags
 */
async function runCompiler(root, settings, folder, flags) {
  const compiler = path.join(root, "node_modules", "typescript", "lib", "tsc.js");
  const { code } = await attach("node", [compiler, "-p", settings, "--outDir", folder, ...flags], {
    cwd: root,
    env: withOwnBinaries(root),
    stdoutToStderr: true,
  });
  if (code !== 0) throw new Error("the build failed: the compiler's messages are above");
}

/**
 * Copies the files that the compiler ignores.
 * @param {string} root
 * @param {string} folder
 */
async function copyAssets(root, folder) {
  for (const file of await filesOf(root)) {
    const elsewhere = Object.keys(APART);
    if (file.endsWith(".ts") || elsewhere.some((apart) => file === apart || file.startsWith(`${apart}/`))) continue;
    await fs.mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await fs.copyFile(path.join(root, file), path.join(folder, file));
  }
}

/**
 * Copies files to their published paths, which are permanent.
 * @param {string} root
 */
async function publishApart(root) {
  for (const [folder, published] of Object.entries(APART)) {
    if (published === null || !existsSync(path.join(root, folder))) continue;
    await fs.rm(path.join(root, published), { recursive: true, force: true });
    await fs.cp(path.join(root, folder), path.join(root, published), { recursive: true });
  }
}

/**
 * Describes a build: the hash of its sources, and every file with its size.
 * @param {string} root
 * @param {string} hash
 */
export async function stampOf(root, hash) {
  const sizes = (await filesOf(root, BUILT)).map(
    async (file) => `${file} ${(await fs.stat(path.join(root, file))).size}`,
  );
  return [hash, ...(await Promise.all(sizes))].join("\n");
}

/**
 * Whether a build has this hash and is complete: no file is missing or truncated.
 * @param {string} root
 * @param {string | undefined} stamp
 * @param {string} hash
 */
export async function isComplete(root, stamp, hash) {
  const [made, ...files] = stamp?.split("\n") ?? [];
  if (made !== hash || files.length === 0) return false;
  const now = new Set((await stampOf(root, hash)).split("\n"));
  return files.every((file) => now.has(file));
}

/**
 * A hash of everything that decides the output.
 * @param {string} root
 */
export async function hashOf(root) {
  const hash = createHash("sha256");
  const sources = [...(await filesOf(root)), ...(await filesOf(root, [EMULATOR])).filter(isSource)];
  for (const file of [...SETTINGS, ...sources]) {
    const content = (await contentOf(path.join(root, file))) ?? "";
    hash.update(`${file}\0${content.length}\0${content}`);
  }
  return hash.digest("hex");
}

/** @param {string} file */
const isSource = (file) => !/^emulator\/(dist|node_modules)\//.test(file);

/**
 * @param {string} root
 * @param {readonly string[]} folders
 */
async function filesOf(root, folders = SOURCES) {
  const files = [];
  for (const source of folders) {
    if (!existsSync(path.join(root, source))) continue;
    for (const entry of await fs.readdir(path.join(root, source), { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) files.push(path.relative(root, path.join(entry.parentPath, entry.name)));
    }
  }
  return files.sort();
}

/** @param {string} file */
const contentOf = (file) => fs.readFile(file, "utf8").catch(() => undefined);
