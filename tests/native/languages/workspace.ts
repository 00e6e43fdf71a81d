import { execFile } from "node:child_process";
import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Emulator } from "../../../emulator";
import { ensureLanguagePrograms } from "../../../scripts/languagePrograms.mjs";
import { log } from "../../../scripts/steps/log.mjs";
import { EventDatasets, type MintedToken, type TokenSpec } from "../../../sdk";
import { createDeployment, type Deployment } from "../../support/deployment";
import type { WorkspaceOptions } from "../../support/engine";
import { pluginFolder } from "../../support/forms";
import { CHECKOUT } from "../../support/program";

/** The SDKs and what was made with them: `npm test` did, or this does. */
export const languagePrograms = () => ensureLanguagePrograms({ root: CHECKOUT, env: process.env, log });

/**
 * A program in a language of its own, with the plugin on PATH and the service in the `extended` profile.
 * @param folders more of PATH
 */
export const createNativeDeployment = (
  { env, ...options }: WorkspaceOptions,
  folders: readonly string[] = [],
): Promise<Deployment> =>
  createDeployment({
    ...options,
    serviceOptions: { profile: "extended" },
    env: {
      PATH: [...folders, pluginFolder, process.env.PATH].join(path.delimiter),
      EVENT_DATASETS_PROFILE: "extended",
      ...env,
    },
  });

/**
 * Compiles the SDK for Node.js.
 * @param more files that use it, by name
 * @returns the folder of the compiled package
 */
export async function compileNodeSdk(sdks: string, folder: string, more: Readonly<Record<string, string>> = {}) {
  await cp(path.join(sdks, "nodejs"), folder, { recursive: true });
  await symlink(path.join(CHECKOUT, "node_modules"), path.join(folder, "node_modules"));
  for (const [name, content] of Object.entries(more)) await writeFile(path.join(folder, name), content);
  const file = path.join(folder, "tsconfig.json");
  const settings = JSON.parse((await readFile(file, "utf8")).replace(/^ *\/\/.*$/gm, ""));
  await writeFile(file, JSON.stringify({ ...settings, files: [...settings.files, ...Object.keys(more)] }));
  const compiler = path.join(CHECKOUT, "node_modules/typescript/lib/tsc.js");
  await promisify(execFile)(process.execPath, [compiler, "-p", folder]);
  const compiled = path.join(folder, "bin");
  await cp(path.join(folder, "package.json"), path.join(compiled, "package.json"));
  return compiled;
}

/** A token that no stack manages. */
export async function makeByHand({ url, rootToken }: Emulator, spec: TokenSpec): Promise<MintedToken> {
  await using client = new EventDatasets({ baseUrl: url, accessToken: rootToken, profile: "extended" });
  return await client.tokens.create(spec);
}
