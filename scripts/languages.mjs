// @ts-check
import fs from "node:fs/promises";
import path from "node:path";
import { ENGINE_VERSION, findProgram, goFilesOf } from "./engine.mjs";
import { cacheFolder, ensureCached, hashOfFiles } from "./steps/cache.mjs";
import { buildFlags, goBuild, goEnvironment, runGo } from "./steps/goBuild.mjs";
import { step } from "./steps/log.mjs";
import { capture, endAll } from "./steps/run.mjs";

/** @typedef {{ root: string, env: NodeJS.ProcessEnv, log: import("./steps/log.mjs").Log }} Options */

/**
 * The engine's hosts of languages other than Node.js. An installed Pulumi CLI has them; these are built from the newest source that the
 * Go module proxy has, with the engine's versions of what they depend on: Go compiles each version of a package once.
 */
const HOSTS = ["pulumi-language-yaml", "pulumi-language-python", "pulumi-language-go"];
const SDK = "github.com/pulumi/pulumi/sdk/v3";
/** The newest SDK for Python that its registry has; it is released less often than the engine. */
const PYTHON_SDK = "3.272.0";

/**
 * Finds or builds the hosts for programs in YAML, Python and Go.
 * @param {Options & { engine: string }} options engine: the engine's folder, which may have them
 * @returns {Promise<string>} the folder to put on PATH
 */
export async function ensureLanguageHosts({ root, env, log, engine }) {
  const folders = [engine, ...(env.PATH ?? "").split(path.delimiter)];
  const found = await Promise.all(HOSTS.map((name) => findProgram(folders, name)));
  if (found.every((file) => file !== undefined)) return engine;
  const modules = ["language-yaml", "language-others"].flatMap(goFilesOf);
  const made = await ensureCached({
    folder: path.join(cacheFolder(env), "hosts", await hashOfFiles(root, modules)),
    log,
    make: (folder) =>
      step(log, "building Pulumi's hosts for YAML, Python and Go programs (about 2 minutes, only once)", async () => {
        const bin = path.join(folder, "bin");
        await fs.mkdir(bin);
        const [out, yaml, others] = [`${bin}/`, "language-yaml", "language-others"];
        const yamlHost = "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml";
        const otherHosts = [`${SDK}/python/cmd/pulumi-language-python`, `${SDK}/go/pulumi-language-go`];
        await goBuild({ root, env, module: yaml, out, sources: [yamlHost] });
        await goBuild({ root, env, module: others, out, sources: otherHosts });
        // The host of Python programs starts a script in its own folder.
        const source = (await runGo(root, env, others, ["list", "-m", "-f", "{{.Dir}}", SDK])).trim();
        const script = "pulumi-language-python-exec";
        await fs.copyFile(path.join(source, "python", "cmd", script), path.join(bin, script));
        await fs.chmod(path.join(bin, script), 0o755);
      }),
  });
  return path.join(made, "bin");
}

/** The files that decide what `ensureLanguagePrograms` makes. */
const SOURCES = [
  "schema.json",
  ...["scripts/sdks/go.mod", "scripts/sdks/go.sum", "scripts/sdks/main.go", "scripts/languages.mjs"],
  ...["examples/languages/go/go.mod", "examples/languages/go/main.go", "tests/native/languages/programs/main.go"],
];

/**
 * Finds or builds the SDKs, a folder each in `sdks`; `nodejs`, the compiled SDK for Node.js; and folders for PATH: `python` has a
 * Python with the SDK, `goExample` and `goProgram` have a host that runs the compiled program of examples/languages/go, or of the tests.
 * @param {Options} options
 * @throws Error without Python 3.9 (with venv and pip) or Go, or if their registries cannot be reached
 */
export async function ensureLanguagePrograms({ root, env, log }) {
  const folder = await ensureCached({
    folder: path.join(cacheFolder(env), "languages", `${ENGINE_VERSION}-${await hashOfFiles(root, SOURCES)}`),
    log,
    make: (draft) =>
      step(log, "making SDKs, a Python with one, and Go programs (about a minute, once for each schema)", async () => {
        const sdks = path.join(draft, "sdk");
        await makeSdks({ root, env, folder: sdks });
        await compileNodeSdk(root, env, path.join(sdks, "nodejs"), path.join(draft, "nodejs"));
        await endAll([
          installPythonSdk(env, path.join(sdks, "python"), path.join(draft, "python")),
          buildGoPrograms(root, env, path.join(sdks, "go"), path.join(draft, "go")),
        ]);
      }),
  });
  return {
    sdks: path.join(folder, "sdk"),
    nodejs: path.join(folder, "nodejs"),
    python: path.join(folder, "python", "bin"),
    goExample: path.join(folder, "go", "example"),
    goProgram: path.join(folder, "go", "program"),
  };
}

/**
 * Writes the SDKs of the plugin for Node.js, Python and Go programs, with the engine's own generators. They are built for a release
 * and never committed.
 * @param {object} options
 * @param {string} options.root
 * @param {NodeJS.ProcessEnv} options.env
 * @param {string} options.folder
 * @param {string} [options.pluginServer] the address that an engine downloads the plugin from; without it, the user installs the plugin
 * @param {string} [options.goModule] the path of the Go module, if it is not the schema's
 */
export async function makeSdks({ root, env, folder, pluginServer = "", goModule = "" }) {
  const settings = ["-plugin-server", pluginServer, "-go-package", goModule && `${goModule}/eventdatasets`];
  // Go keeps the generator in its cache, and with these flags it shares compiled packages with the engine.
  const args = ["run", ...buildFlags(), ".", ...settings, path.join(root, "schema.json"), folder];
  await capture("go", args, { cwd: path.join(root, "scripts", "sdks"), env: goEnvironment(env) });
  // The generator writes it beside the modules; the package's metadata names it here.
  const python = path.join(folder, "python");
  await fs.copyFile(path.join(python, "pulumi_event_datasets", "README.md"), path.join(python, "README.md"));
}

/** @param {NodeJS.ProcessEnv} env @param {string} sdk @param {string} folder */
async function installPythonSdk(env, sdk, folder) {
  await capture("python3", ["-m", "venv", folder], { env });
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", `pulumi==${PYTHON_SDK}`, sdk];
  await capture(path.join(folder, "bin", "python3"), install, { env });
}

/**
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {string} sdk
 * @param {string} folder
 * @param {string[]} flags more options of the compiler; by default it checks no types: the tests of the SDKs and of a release do
 */
export async function compileNodeSdk(root, env, sdk, folder, flags = ["--noCheck"]) {
  const packages = path.join(sdk, "node_modules");
  await fs.symlink(path.join(root, "node_modules"), packages);
  const compiler = path.join(root, "node_modules", "typescript", "lib", "tsc.js");
  await capture("node", [compiler, "-p", sdk, ...flags, "--outDir", folder], { env });
  await fs.rm(packages);
  await fs.copyFile(path.join(sdk, "package.json"), path.join(folder, "package.json"));
}

/** Builds once what the engine's host would build at every run, for 10 CPU s each. @param {string} root @param {NodeJS.ProcessEnv} env @param {string} sdk @param {string} folder */
async function buildGoPrograms(root, env, sdk, folder) {
  const source = path.join(folder, "source");
  await fs.cp(path.join(root, "examples", "languages", "go"), source, { recursive: true });
  await fs.cp(path.join(root, "tests/native/languages/programs/main.go"), path.join(source, "programs", "main.go"));
  await fs.cp(sdk, path.join(source, "sdks", "event-datasets"), { recursive: true });
  // Together with the generator's module the dependencies have the engine's versions: it has compiled most of them.
  const [cwd, work] = [source, path.join(source, "go.work")];
  await capture("go", ["work", "init", ".", path.join(root, "scripts", "sdks")], { cwd, env: goEnvironment(env) });
  for (const [name, from] of Object.entries({ example: ".", program: "./programs" })) {
    const program = path.join(folder, name, "program");
    await capture("go", ["build", ...buildFlags(), "-o", program, from], { cwd, env: goEnvironment(env, work) });
    await fs.writeFile(path.join(folder, name, "pulumi-language-go"), GO_HOST, { mode: 0o755 });
  }
  await fs.rm(source, { recursive: true });
}

/**
 * An older host of the engine takes the compiled program as a flag, and a newer one from Pulumi.yaml. The script looks for the host
 * without its own folder in PATH: else it would find itself.
 */
const GO_HOST = `#!/bin/sh
own=$(dirname "$0")
PATH=$(printf '%s\\n' "$PATH" | tr ':' '\\n' | grep -vxF "$own" | paste -sd: -)
exec pulumi-language-go -binary "$own/program" "$@"
`;
