import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { ensureLanguagePrograms } from "../../../scripts/languages.mjs";
import { log } from "../../../scripts/steps/log.mjs";
import { createDeployment, type Deployment } from "../../support/deployment";
import type { WorkspaceOptions } from "../../support/engine";
import { CHECKOUT, pluginFolder, writeInto } from "../../support/program";

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
    profile: "extended",
    env: { PATH: [...folders, pluginFolder, process.env.PATH].join(path.delimiter), ...env },
  });

/** Makes a module in Go of these files, with the SDK and with the dependencies of the generator; other modules can be used too. */
export async function makeGoModule(
  module: string,
  files: Readonly<Record<string, string>>,
  ...others: readonly string[]
) {
  const { sdks } = await languagePrograms();
  await cp(path.join(CHECKOUT, "examples/languages/go"), module, { recursive: true });
  await cp(path.join(sdks, "go"), path.join(module, "sdks/event-datasets"), { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeInto(module, name, content);
  const run = (args: readonly string[], GOWORK = path.join(module, "go.work")) =>
    promisify(execFile)("go", args, { cwd: module, env: { ...process.env, GOWORK } });
  await run(["work", "init", ".", ...others, path.join(CHECKOUT, "scripts/sdks")], "off");
  return run;
}

/** The line of Pulumi.yaml for a compiled program in Go; its folder is to be on PATH. */
export const goRuntime = (folder: string) =>
  `runtime: { name: go, options: { binary: ${path.join(folder, "program")} } }`;

/** Such a program in a project of its own. */
export const goProgram = (folder: string) => ({ "Pulumi.yaml": `name: programs\n${goRuntime(folder)}\n` });

/** A program in YAML with these resources and outputs. */
export const yamlProgram = (...parts: readonly string[]) => ({
  "Pulumi.yaml": ["name: web", "runtime: yaml", "resources:", ...parts].join("\n"),
});

/** A token of such a program. */
export const yamlToken = (name: string, properties: object, options: object = {}) => `  ${name}:
    type: event-datasets:ApiToken
    properties: ${JSON.stringify(properties)}
    options: ${JSON.stringify(options)}`;

export const rights = { orgCapabilities: { apiTokens: ["read"] } };
