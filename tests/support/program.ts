import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { resourceDefinitions } from "../../provider/eventDatasets";
import { CHECKOUT, makeOnce, requireBuild } from "./checkout";
import type { WorkspaceOptions } from "./engine";
import { packedInstallation } from "./packages";

export { CHECKOUT };

const PACKAGE = "pulumi-event-datasets";

/** Files by name, or a folder to copy. */
export type ProgramSource = Readonly<Record<string, string>> | string;

/** Writes a complete program that has the checkout's last build; `Pulumi.yaml` and `package.json` are added where they are missing. */
export async function writeProgram(folder: string, source: ProgramSource): Promise<void> {
  requireBuild();
  await mkdir(folder, { recursive: true });
  if (typeof source === "string") {
    await cp(source, folder, { recursive: true, filter: (file) => path.basename(file) !== "node_modules" });
  } else {
    for (const [name, content] of Object.entries(source)) await writeInto(folder, name, content);
  }
  await writeIfMissing(folder, "Pulumi.yaml", "name: e2e\nruntime: nodejs\n");
  await writeIfMissing(folder, "package.json", `${JSON.stringify({ name: "e2e", private: true })}\n`);
  await link(folder);
}

export async function writeInto(folder: string, name: string, content: string): Promise<void> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}

async function writeIfMissing(folder: string, name: string, content: string): Promise<void> {
  if (!existsSync(path.join(folder, name))) await writeInto(folder, name, content);
}

/** The parts of the checkout that a program can use. */
const PARTS = ["package.json", "dist", "schemas", "audit"];

/**
 * Links what a program declares itself; the rest is found from the checkout, because Node follows links. The language host
 * follows them too, to look for plugins: a link to the checkout would lead it through all that is installed there, each time.
 */
async function link(folder: string): Promise<void> {
  const modules = path.join(folder, "node_modules");
  const own = path.join(CHECKOUT, "node_modules");
  await mkdir(path.join(modules, "@pulumi"), { recursive: true });
  await mkdir(path.join(modules, "@types"), { recursive: true });
  await mkdir(path.join(modules, PACKAGE));
  for (const name of PARTS) await symlink(path.join(CHECKOUT, name), path.join(modules, PACKAGE, name));
  for (const name of ["@pulumi/pulumi", "@types/node", "typescript"]) {
    await symlink(path.join(own, name), path.join(modules, name));
  }
}

/** The two adapters to the engine. A test that is about both says so once, for each. */
export const forms = ["dynamic", "native"] as const;

export type Form = (typeof forms)[number];

/** The folder of the built plugin, for PATH. */
export const pluginFolder = path.join(CHECKOUT, "dist", "native");

/** The imports of a program: the package, or classes that only register the plugin's types. */
export const moduleOf = (form: Form): string => (form === "dynamic" ? "pulumi-event-datasets" : "./native");

const registration = `import * as pulumi from "@pulumi/pulumi";
const declare = (type: string, outputs: string[], secrets: string[]) =>
  class extends pulumi.CustomResource {
    constructor(name: string, args: object, options: pulumi.CustomResourceOptions = {}) {
      const absent = Object.fromEntries(outputs.map((key) => [key, undefined]));
      super("event-datasets:index:" + type, name, { ...absent, ...args }, { additionalSecretOutputs: secrets, ...options });
    }
    static get(name: string, id: pulumi.Input<string>, options = {}) {
      return new this(name, {}, { ...options, id });
    }
  } as any;
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, { accessToken, ...args }: any) {
    super("event-datasets", name, { ...args, accessToken: pulumi.secret(accessToken) });
  }
}
export const getTokensOutput = (args: pulumi.Inputs) =>
  pulumi.output(pulumi.runtime.invoke("event-datasets:index:getTokens", args)) as any;
const common = ["description", "type", "title", "url", "time"];
export const ApiToken = declare("ApiToken", ["name", "token", "orgCapabilities", "expiresAt"], ["token"]);
export const Annotation = declare("Annotation", ["datasets", ...common], []);
export const Dataset = declare("Dataset", ["name", "kind", "createdAt"], []);
export const DeploymentAnnotation = declare("DeploymentAnnotation", ["annotationId", "recorded"], []);
export const QueryGate = declare("QueryGate", ["value", "attempts", "passedAt"], []);
`;

/**
 * The first lines of a program that declares each resource in both forms: `inBothForms((form, { ApiToken }) => …)`. One command for
 * both takes little more than a command for one.
 */
export const bothForms = `import * as dynamic from "pulumi-event-datasets";
const native: typeof dynamic = require("./native");
const inBothForms = <Declared>(declare: (form: string, classes: typeof dynamic) => Declared): Declared[] =>
  [declare("dynamic", dynamic), declare("native", native)];
`;

/** A workspace for programs of one form, or of both. */
export function inForm<Options extends WorkspaceOptions>(form: Form | "both", options: Options): Options {
  if (form === "dynamic" || typeof options.program === "string") return options;
  const PATH = [pluginFolder, process.env.PATH].join(path.delimiter);
  return { ...options, program: { ...options.program, "native.ts": registration }, env: { PATH, ...options.env } };
}

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
 * @param packed for programs with the packed packages
 */
export function compiledModules(packed = false): Promise<string> {
  return makeOnce(packed ? "compiled-packed" : "compiled", async (draft) => {
    requireBuild();
    const cwd = packed ? await packedInstallation() : CHECKOUT;
    const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: draft };
    await promisify(execFile)(process.execPath, ["-e", load], { cwd, env });
  });
}

/**
 * Writes the program of a policy pack, which the engine starts by its path. The host for Node.js programs that can be built from Go
 * modules cannot start a pack; this runs what a newer one runs.
 * @param pack the folder of the pack
 */
export async function writePackProgram(pack: string): Promise<string> {
  const program = path.join(pack, "start");
  const host = path.join(CHECKOUT, "node_modules/@pulumi/pulumi/cmd/run-policy-pack");
  await writeFile(program, `#!/bin/sh\ncd "$(dirname "$0")"\nexec "${process.execPath}" "${host}" "$@" .\n`);
  await chmod(program, 0o755);
  return program;
}

/** The published policy pack below a folder. Returns the program of the pack. */
export async function layOutPack(root: string): Promise<string> {
  const folder = path.join(root, "package/audit/pack");
  await mkdir(folder, { recursive: true });
  for (const name of ["package.json", "PulumiPolicy.yaml"])
    await cp(path.join(CHECKOUT, "audit/pack", name), path.join(folder, name));
  for (const name of ["dist", "node_modules"])
    await symlink(path.join(CHECKOUT, name), path.join(root, "package", name));
  return writePackProgram(folder);
}
