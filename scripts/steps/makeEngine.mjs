// @ts-check
import fs from "node:fs/promises";
import path from "node:path";
import { step } from "./log.mjs";
import { capture } from "./run.mjs";

/** @typedef {import("../engine.mjs").Context} Context */

const DOWNLOAD_LIMIT_MS = 5 * 60_000;
const BUILD_LIMIT_MS = 30 * 60_000;
const SDK = path.join("node_modules", "@pulumi", "pulumi");

/**
 * Whether the download site responds. If it does not, the build from Go modules starts at once and not after the npm packages.
 * @param {NodeJS.ProcessEnv} env
 */
export const isDownloadReachable = (env) =>
  capture(
    process.execPath,
    ["-e", 'fetch("https://get.pulumi.com/install.sh").then(({ ok }) => process.exit(ok ? 0 : 1))'],
    {
      env: { ...env, ...throughProxy },
      timeoutMs: 10_000,
    },
  ).then(
    () => true,
    () => false,
  );

/** Node's fetch ignores the proxy variables by default. */
const throughProxy = { NODE_USE_ENV_PROXY: "1" };

/**
 * Downloads the engine with the SDK, which runs Pulumi's own install script. Offline this fails at once.
 * @param {string} folder
 * @param {Context} context
 */
export async function downloadEngine(folder, { root, env, version, log, installed }) {
  await installed;
  const program = `
    const { PulumiCommand } = require("@pulumi/pulumi/automation");
    const fromSdk = require("node:module").createRequire(require.resolve("@pulumi/pulumi"));
    const [version, root] = process.argv.slice(1);
    PulumiCommand.install({ version: fromSdk("semver").parse(version), root }).catch((failure) => {
      console.error(failure.message);
      process.exit(1);
    });`;
  const options = {
    cwd: root,
    env: { ...env, ...throughProxy },
    timeoutMs: DOWNLOAD_LIMIT_MS,
  };
  return step({ log }, `downloading the Pulumi engine ${version}`, async () => {
    const node = path.join(root, "node_modules", ".bin", "node");
    try {
      await capture(node, ["-e", program, version, folder], options);
    } catch (failure) {
      throw new Error(lastLine(failure));
    }
  });
}

/**
 * Builds the engine from Go modules: many machines reach the module proxy but not the engine's download. The host of dynamic
 * providers is a script in the npm package.
 * @param {string} folder
 * @param {Context} context
 */
export async function buildEngine(folder, { root, env, version, log, installed }) {
  await capture("go", ["version"], { env }).catch(() => {
    throw new Error("Go is not installed (no working `go` on PATH)");
  });
  /** @param {string} module @param {string[]} args */
  const go = (module, ...args) =>
    capture("go", args, {
      cwd: path.join(root, "scripts", "engine", module),
      // A workspace file of the user must not change the build.
      env: { ...env, GOWORK: "off" },
      timeoutMs: BUILD_LIMIT_MS,
    });
  /** @param {string} module @param {string} name @param {string} source */
  const build = (module, name, source) =>
    go(module, "build", ...buildFlags(`-s -w ${flagOf(version)}`), "-o", path.join(folder, "bin", name), source);
  // Downloads the modules of the engine during the first build, and fails there if it must.
  const downloading = go("cli", "list", "-mod=readonly", "-deps", ENGINE).catch(() => undefined);
  await step({ log }, "building Pulumi's host for Node programs with Go (half a minute, only once)", () =>
    build(
      "language-nodejs",
      "pulumi-language-nodejs",
      "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    ),
  );
  await downloading;
  await step({ log }, `building the Pulumi engine ${version} with Go (about 4 minutes, only once)`, () =>
    build("cli", "pulumi", ENGINE),
  );

  await installed;
  const script = "pulumi-resource-pulumi-nodejs";
  await fs.copyFile(path.join(root, SDK, script), path.join(folder, "bin", script));
  await fs.chmod(path.join(folder, "bin", script), 0o755);
}

const ENGINE = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";

/**
 * The same for every program, so that they share compiled packages. Nobody debugs them, and without symbols they compile faster.
 * @param {string} linking
 */
export const buildFlags = (linking) => [
  "-mod=readonly",
  "-trimpath",
  "-buildvcs=false",
  "-gcflags=all=-dwarf=false",
  "-ldflags",
  linking,
];

/** @param {string} version */
const flagOf = (version) => `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;

/** @param {unknown} failure */
const lastLine = (failure) =>
  (failure instanceof Error ? failure.message : String(failure)).trimEnd().split("\n").at(-1) ?? "";
