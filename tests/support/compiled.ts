import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { resourceDefinitions } from "../../provider/nouns";
import { requireBuild } from "./build";
import { pluginFolder } from "./forms";
import { packedInstallation } from "./installation";
import { makeOnce } from "./once";
import { CHECKOUT, type Installation } from "./program";

/**
 * Loads what the engine's two hosts load, and the plugin. Providers would never write what they compiled: the engine ends them by a
 * signal.
 */
const modules = Object.values(resourceDefinitions).map(({ module }) => `pulumi-event-datasets/${module}`);
const load = `
process.argv[2] = "127.0.0.1:1"; // an engine that the host never calls
try {
  require("@pulumi/pulumi/cmd/dynamic-provider");
  require("@pulumi/pulumi/runtime/closure/v8Hooks");
  require("@pulumi/pulumi/cmd/run/tracing");
  require("typescript");
  require("pulumi-event-datasets");
  for (const module of ${JSON.stringify(modules)}) require(module);
  require(${JSON.stringify(path.join(pluginFolder, "pulumi-resource-event-datasets"))});
  process.exit();
} catch (failure) {
  console.error(failure);
  process.exit(1); // else the host would stay, and wait for calls
}
`;

/**
 * Where Node.js keeps what it compiled, for all commands of a test run. Saves an eighth of the CPU time of a suite (drift and
 * adoption: 28 instead of 32 s).
 */
export function compiledModules(installation: Installation = "linked"): Promise<string> {
  const packed = installation === "packed";
  return makeOnce(packed ? "compiled-packed" : "compiled", async (draft) => {
    requireBuild();
    await compile(load, packed ? await packedInstallation() : CHECKOUT, draft);
  });
}

/**
 * The same for policy packs. Their host sets an option of V8 before it loads the rest, and V8 rejects what was compiled without the
 * option. Saves half of the CPU time of a pack (0.5 instead of 0.9 s).
 */
export const compiledForPacks = (): Promise<string> =>
  makeOnce("compiled-packs", (draft) => compile(loadForPacks, CHECKOUT, draft));

const loadForPacks = `
require("@pulumi/pulumi/runtime/closure/v8Hooks");
require("@pulumi/pulumi/cmd/run-policy-pack/run");
const { tsnodeRequire, typescriptRequire } = require("@pulumi/pulumi/tsutils.js").typeScriptRequireStrings();
const fromSdk = require("node:module").createRequire(require.resolve("@pulumi/pulumi"));
for (const module of [tsnodeRequire, typescriptRequire]) fromSdk(module);
require("@pulumi/policy");
process.exit();
`;

async function compile(script: string, cwd: string, folder: string): Promise<void> {
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: folder };
  await promisify(execFile)(process.execPath, ["-e", script], { cwd, env });
}
