// @ts-check
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import { cacheFolder, ENGINE_VERSION } from "./engine.mjs";
import { withLock } from "./steps/lock.mjs";
import { step } from "./steps/log.mjs";
import { makeSdks } from "./steps/makeSdks.mjs";
import { capture } from "./steps/run.mjs";

/** @typedef {import("./steps/log.mjs").Log} Log */

/**
 * The SDKs and tools for programs in Python and Go, built once for each schema and example.
 * @typedef {object} LanguagePrograms
 * @property {string} sdks holds an SDK a folder: `nodejs`, `python`, `go`
 * @property {string} python the folder of the Python that has the SDK, for PATH
 * @property {string} go the folder of examples/go with its SDK; below it, `programs` is the program of the tests
 * @property {NodeJS.ProcessEnv} goEnv makes the engine's host reuse the compiled packages and ask no proxy
 */

/** The files that decide the result, besides the platform. */
const SOURCES = [
  "schema.json",
  "scripts/sdks/go.sum",
  "scripts/sdks/main.go",
  "scripts/steps/makeSdks.mjs",
  "scripts/languagePrograms.mjs",
  "examples/go/go.mod",
  "examples/go/main.go",
  "tests/native/languages/programs/main.go",
];

/**
 * A workspace file of the user must not change the build. Without source paths a compiled package is valid for every folder, and
 * without symbols a program is linked in half the time.
 */
const goSettings = { GOWORK: "off", GOFLAGS: "-trimpath -buildvcs=false '-ldflags=-s -w'" };

const LIMIT_MS = 20 * 60_000;

/**
 * Finds or builds the SDKs, a Python with its SDK, and the compiled packages of the Go example.
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
        const words = "making SDKs, a Python with one, and the Go example (about a minute, once for each schema)";
        await step({ log }, words, () => make(root, env, draft));
        await fs.rename(draft, folder);
      } finally {
        await fs.rm(draft, { recursive: true, force: true });
      }
    });
  }
  const go = path.join(folder, "go");
  // Somebody may have emptied Go's cache since. With a full cache this sends no request.
  await capture("go", ["mod", "download"], { cwd: go, env: { ...env, ...goSettings }, timeoutMs: LIMIT_MS });
  const caches = JSON.parse(await capture("go", ["env", "-json", "GOCACHE", "GOMODCACHE"], { env }));
  return {
    sdks: path.join(folder, "sdk"),
    python: path.join(folder, "python", "bin"),
    go,
    goEnv: { ...goSettings, ...caches, GOPROXY: "off" },
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

  const python = path.join(folder, "python");
  await capture("python3", ["-m", "venv", python], { env, timeoutMs: LIMIT_MS });
  const packages = [`pulumi==${ENGINE_VERSION}`, path.join(sdks, "python")];
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages];
  await capture(path.join(python, "bin", "python3"), install, { env, timeoutMs: LIMIT_MS });

  const go = path.join(folder, "go");
  await fs.cp(path.join(root, "examples", "go"), go, { recursive: true });
  await fs.cp(path.join(root, "tests/native/languages/programs/main.go"), path.join(go, "programs", "main.go"));
  await fs.cp(path.join(sdks, "go"), path.join(go, "sdks", "event-datasets"), { recursive: true });
  const options = { cwd: go, env: { ...env, ...goSettings }, timeoutMs: LIMIT_MS };
  await capture("go", ["mod", "tidy"], options);
  const built = path.join(folder, "built");
  await capture("go", ["build", "-o", `${built}/`, "./..."], options);
  await fs.rm(built, { recursive: true });
}

/** @param {string} root */
async function hashOf(root) {
  const hash = createHash("sha256").update(`${process.platform}/${process.arch}/${ENGINE_VERSION}\0`);
  for (const file of SOURCES) hash.update(await fs.readFile(path.join(root, file)));
  return hash.digest("hex").slice(0, 12);
}
