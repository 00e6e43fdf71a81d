// @ts-check
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import { cacheFolder } from "./engine.mjs";
import { withLock } from "./steps/lock.mjs";
import { step } from "./steps/log.mjs";
import { buildFlags } from "./steps/makeEngine.mjs";
import { capture } from "./steps/run.mjs";

/** @typedef {import("./steps/log.mjs").Log} Log */

/**
 * The engine's hosts of languages other than Node.js, by the folder of their Go module. An installed Pulumi CLI has them; these are
 * built from the newest source that the Go module proxy has, with the engine's versions of what they depend on: Go compiles each
 * version of a package once, and the engine has compiled most of them.
 */
export const HOSTS = {
  "language-yaml": { "pulumi-language-yaml": "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml" },
  "language-others": {
    "pulumi-language-python": "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python",
    "pulumi-language-go": "github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go",
  },
};

const BUILD_LIMIT_MS = 30 * 60_000;

/**
 * Finds or builds the hosts for programs in YAML, Python and Go.
 * @param {{ root: string, env: NodeJS.ProcessEnv, log: Log, engine: string }} options engine: the engine's folder, which may have them
 * @returns {Promise<string[]>} folders to put on PATH
 */
export async function ensureLanguageHosts({ root, env, log, engine }) {
  const folders = [engine, ...(env.PATH ?? "").split(path.delimiter)];
  const wanted = Object.values(HOSTS).flatMap((hosts) => Object.keys(hosts));
  const found = await Promise.all(wanted.map((name) => firstWith(folders, name)));
  if (found.every((folder) => folder !== undefined))
    return [...new Set(found)].filter((folder) => folder !== undefined);

  const folder = path.join(cacheFolder(env), "hosts", await hashOf(root));
  const bin = path.join(folder, "bin");
  if (existsSync(bin)) return [bin];
  return withLock(`${folder}.lock`, log, async () => {
    if (existsSync(bin)) return [bin];
    const draft = `${folder}.draft-${process.pid}`;
    try {
      await fs.mkdir(path.join(draft, "bin"), { recursive: true });
      await step({ log }, "building Pulumi's hosts for YAML, Python and Go programs (about 2 minutes, only once)", () =>
        build(root, env, path.join(draft, "bin")),
      );
      await fs.rename(draft, folder);
      return [bin];
    } finally {
      await fs.rm(draft, { recursive: true, force: true });
    }
  });
}

/**
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {string} bin
 */
async function build(root, env, bin) {
  for (const [module, hosts] of Object.entries(HOSTS)) {
    // A workspace file of the user must not change the build.
    const options = { cwd: path.join(root, "scripts", "engine", module), env: { ...env, GOWORK: "off" } };
    const sources = Object.values(hosts);
    await capture("go", ["build", ...buildFlags("-s -w"), "-o", `${bin}/`, ...sources], {
      ...options,
      timeoutMs: BUILD_LIMIT_MS,
    });
    if (!("pulumi-language-python" in hosts)) continue;
    // The host of Python programs starts a script in its own folder.
    const source = (
      await capture("go", ["list", "-m", "-f", "{{.Dir}}", "github.com/pulumi/pulumi/sdk/v3"], options)
    ).trim();
    const script = "pulumi-language-python-exec";
    await fs.copyFile(path.join(source, "python", "cmd", script), path.join(bin, script));
    await fs.chmod(path.join(bin, script), 0o755);
  }
}

/** @param {string} root */
async function hashOf(root) {
  const hash = createHash("sha256").update(`${process.platform}/${process.arch}\0`);
  for (const module of Object.keys(HOSTS)) {
    for (const file of ["go.mod", "go.sum"])
      hash.update(await fs.readFile(path.join(root, "scripts", "engine", module, file)));
  }
  return hash.digest("hex").slice(0, 12);
}

/**
 * @param {string[]} folders
 * @param {string} name
 */
async function firstWith(folders, name) {
  for (const folder of folders) if (folder !== "" && existsSync(path.join(folder, name))) return folder;
  return undefined;
}
