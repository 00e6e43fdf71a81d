// @ts-check
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import { cacheFolder, ENGINE_VERSION } from "./engine.mjs";
import { withLock } from "./steps/lock.mjs";
import { step } from "./steps/log.mjs";
import { buildFlags } from "./steps/makeEngine.mjs";
import { makeSdks } from "./steps/makeSdks.mjs";
import { capture } from "./steps/run.mjs";

/** @typedef {import("./steps/log.mjs").Log} Log */

/**
 * The SDKs and what was built with them, once for each schema and example.
 * @typedef {object} LanguagePrograms
 * @property {string} sdks holds an SDK a folder: `nodejs`, `python`, `go`
 * @property {string} nodejs the folder of the compiled SDK for Node.js
 * @property {string} python the folder of the Python that has the SDK, for PATH
 * @property {string} goExample the folder of the compiled examples/languages/go, for PATH: it has a host that runs this program
 * @property {string} goProgram likewise, of the tests' program in Go
 */

/** The files that decide the result, besides the platform. */
const SOURCES = [
  "schema.json",
  "scripts/sdks/go.mod",
  "scripts/sdks/go.sum",
  "scripts/sdks/main.go",
  "scripts/steps/makeSdks.mjs",
  "scripts/languagePrograms.mjs",
  "examples/languages/go/go.mod",
  "examples/languages/go/main.go",
  "tests/native/languages/programs/main.go",
];

const LIMIT_MS = 20 * 60_000;

/**
 * Finds or builds the SDKs, a Python with its SDK, and the Go programs.
 * @param {{ root: string, env: NodeJS.ProcessEnv, log: Log }} options
 * @returns {Promise<LanguagePrograms>}
 * @throws Error without Python 3.9 (with venv and pip) or Go, or if their registries cannot be reached
 */
export async function ensureLanguagePrograms({ root, env, log }) {
  const folder = path.join(cacheFolder(env), "languages", await hashOf(root));
  if (!existsSync(folder)) {
    await withLock(`${folder}.lock`, log, async () => {
      if (existsSync(folder)) return;
      const draft = `${folder}.draft-${process.pid}`;
      try {
        const words = "making SDKs, a Python with one, and Go programs (about a minute, once for each schema)";
        await step({ log }, words, () => make(root, env, draft));
        await fs.rename(draft, folder);
      } finally {
        await fs.rm(draft, { recursive: true, force: true });
      }
    });
  }
  return {
    sdks: path.join(folder, "sdk"),
    nodejs: path.join(folder, "nodejs"),
    python: path.join(folder, "python", "bin"),
    goExample: path.join(folder, "go", "example"),
    goProgram: path.join(folder, "go", "program"),
  };
}

/**
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {string} folder
 */
async function make(root, env, folder) {
  const sdks = path.join(folder, "sdk");
  await makeSdks({ root, env, folder: sdks });
  await compileNodeSdk(root, env, path.join(sdks, "nodejs"), path.join(folder, "nodejs"));

  // Both end, even if one fails: the folder is removed then.
  const results = await Promise.allSettled([
    installPythonSdk(env, path.join(sdks, "python"), path.join(folder, "python")),
    buildGoPrograms(root, env, path.join(sdks, "go"), path.join(folder, "go")),
  ]);
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} sdk
 * @param {string} folder
 */
async function installPythonSdk(env, sdk, folder) {
  await capture("python3", ["-m", "venv", folder], { env, timeoutMs: LIMIT_MS });
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", `pulumi==${ENGINE_VERSION}`, sdk];
  await capture(path.join(folder, "bin", "python3"), install, { env, timeoutMs: LIMIT_MS });
}

/**
 * Without a check of types: the tests of the SDKs and of a release have that.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {string} sdk
 * @param {string} folder
 */
async function compileNodeSdk(root, env, sdk, folder) {
  const packages = path.join(sdk, "node_modules");
  await fs.symlink(path.join(root, "node_modules"), packages);
  const compiler = path.join(root, "node_modules", "typescript", "lib", "tsc.js");
  await capture("node", [compiler, "-p", sdk, "--noCheck", "--outDir", folder], { env, timeoutMs: LIMIT_MS });
  await fs.rm(packages);
  await fs.copyFile(path.join(sdk, "package.json"), path.join(folder, "package.json"));
}

/**
 * As the engine's host builds them at every run of a program, which would take 10 CPU s each.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {string} sdk
 * @param {string} folder
 */
async function buildGoPrograms(root, env, sdk, folder) {
  const source = path.join(folder, "source");
  await fs.cp(path.join(root, "examples", "languages", "go"), source, { recursive: true });
  await fs.cp(path.join(root, "tests/native/languages/programs/main.go"), path.join(source, "programs", "main.go"));
  await fs.cp(sdk, path.join(source, "sdks", "event-datasets"), { recursive: true });
  // Together with the generator's module the dependencies have the engine's versions: it has compiled most of them.
  const workspace = path.join(source, "go.work");
  const options = { cwd: source, env: { ...env, GOWORK: workspace }, timeoutMs: LIMIT_MS };
  const members = ["work", "init", ".", path.join(root, "scripts", "sdks")];
  await capture("go", members, { ...options, env: { ...env, GOWORK: "off" } });
  for (const [name, from] of Object.entries({ example: ".", program: "./programs" })) {
    const program = path.join(folder, name, "program");
    await capture("go", ["build", ...buildFlags("-s -w"), "-o", program, from], options);
    await writeGoHost(path.dirname(program));
  }
  await fs.rm(source, { recursive: true });
}

/**
 * An older host of the engine takes the compiled program as a flag, and a newer one from Pulumi.yaml.
 * @param {string} folder
 */
async function writeGoHost(folder) {
  // Without its own folder in PATH: else it would find itself.
  const script = `#!/bin/sh
own=$(dirname "$0")
PATH=$(printf '%s\\n' "$PATH" | tr ':' '\\n' | grep -vxF "$own" | paste -sd: -)
exec pulumi-language-go -binary "$own/program" "$@"
`;
  await fs.writeFile(path.join(folder, "pulumi-language-go"), script, { mode: 0o755 });
}

/** @param {string} root */
async function hashOf(root) {
  const hash = createHash("sha256").update(`${process.platform}/${process.arch}/${ENGINE_VERSION}\0`);
  for (const file of SOURCES) hash.update(await fs.readFile(path.join(root, file)));
  return hash.digest("hex").slice(0, 12);
}
