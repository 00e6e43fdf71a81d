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
 * Downloads the engine with the SDK, which runs Pulumi's own install script. Offline this fails at once.
 * @param {string} folder
 * @param {Context} context
 */
export function downloadEngine(folder, { root, env, version, log }) {
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
    // Node's fetch ignores the proxy variables by default.
    env: { ...env, NODE_USE_ENV_PROXY: "1" },
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
export async function buildEngine(folder, { root, env, version, log }) {
  await capture("go", ["version"], { env }).catch(() => {
    throw new Error("Go is not installed (no working `go` on PATH)");
  });
  const script = "pulumi-resource-pulumi-nodejs";
  await fs.copyFile(path.join(root, SDK, script), path.join(folder, "bin", script));
  await fs.chmod(path.join(folder, "bin", script), 0o755);

  const options = ["-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", flags(version)];
  /** @param {string} module @param {string} name @param {string} source */
  const build = (module, name, source) =>
    capture("go", ["build", ...options, "-o", path.join(folder, "bin", name), source], {
      cwd: path.join(root, "scripts", "engine", module),
      // A workspace file of the user must not change the build.
      env: { ...env, GOWORK: "off" },
      timeoutMs: BUILD_LIMIT_MS,
    });
  await step({ log }, "building Pulumi's host for Node programs with Go (half a minute, only once)", () =>
    build(
      "language-nodejs",
      "pulumi-language-nodejs",
      "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    ),
  );
  await step({ log }, `building the Pulumi engine ${version} with Go (about 4 minutes, only once)`, () =>
    build("cli", "pulumi", "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"),
  );
}

/** @param {string} version */
const flags = (version) => `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;

/** @param {unknown} failure */
const lastLine = (failure) =>
  (failure instanceof Error ? failure.message : String(failure)).trimEnd().split("\n").at(-1) ?? "";
