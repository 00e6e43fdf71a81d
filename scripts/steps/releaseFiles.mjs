// @ts-check
import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { ENGINE_VERSION } from "../engine.mjs";
import { makeSdks } from "../languages.mjs";
import { step } from "./log.mjs";
import { NOTICES } from "./notices.mjs";
import { readRepository } from "./repository.mjs";
import { capture } from "./run.mjs";
import { makeArchive } from "./tar.mjs";

/** @typedef {"package" | "plugin" | "sdk" | "schema" | "bill of materials"} Kind */
/** @typedef {{ file: string, kind: Kind, sha256: string, bytes: number, os?: string, arch?: string, language?: string }} ReleaseFile */
/** @typedef {{ name: string, version: string, repository: string, goModule: string, pluginServer?: string, files: ReleaseFile[] }} Manifest */
/** @typedef {{ root: string, env: NodeJS.ProcessEnv, folder: string, version: string, repository: import("./repository.mjs").Repository }} Context */

const PLUGIN = "pulumi-resource-event-datasets";
/** The plugin is a script for Node.js with a `#!` line, so every archive has the same content, and Windows has none. */
const PLATFORMS = ["linux", "darwin"].flatMap((os) => ["amd64", "arm64"].map((arch) => ({ os, arch })));

export const MANIFEST = "manifest.json";
export const CHECKSUMS = "SHA256SUMS";
/** The Go module as a folder: the release tags a commit that has it. */
export const GO_MODULE = "go";

/**
 * Builds every file of a release from the built tree, and describes them in a manifest.
 * @param {{ root: string, env: NodeJS.ProcessEnv, folder: string, log: import("./log.mjs").Log }} options
 * @returns {Promise<Manifest>}
 */
export async function makeReleaseFiles({ root, env, folder, log }) {
  const { name, version } = JSON.parse(await fs.readFile(path.join(root, "package.json"), "utf8"));
  const repository = readRepository(env, version);
  const context = { root, env, folder, version, repository };
  await fs.mkdir(folder, { recursive: true });
  const files = await step(log, "building the files of the release", async () => [
    ...(await packPackages(context)),
    ...(await packPlugin(context)),
    ...(await packSdks(context)),
    ...(await copyDescriptions(context)),
  ]);
  const { url, goModule, pluginServer } = repository;
  const manifest = { name, version, repository: url, goModule, ...(pluginServer ? { pluginServer } : {}), files };
  await fs.writeFile(path.join(folder, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const listed = [...files, await describeFile(folder, MANIFEST, "package")];
  const sums = listed.map(({ file, sha256 }) => `${sha256}  ${file}\n`);
  await fs.writeFile(path.join(folder, CHECKSUMS), sums.join(""));
  return manifest;
}

/** @param {Context} context */
async function packPackages(context) {
  const { root, env, folder } = context;
  const options = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
  const packed = [[], ["--workspace", "emulator"]].map(async (workspace) => {
    const printed = await capture("npm", [...options, ...workspace], { cwd: root, env });
    return describeFile(folder, printed.trim().split("\n").at(-1) ?? "", "package");
  });
  return Promise.all(packed);
}

/** @param {Context} context */
async function packPlugin({ root, folder, version }) {
  const entries = [PLUGIN, NOTICES].map(async (name) => {
    const content = await fs.readFile(path.join(root, "dist", "native", name));
    return { name, content, executable: name === PLUGIN };
  });
  const archive = makeArchive(await Promise.all(entries));
  const written = PLATFORMS.map(async ({ os, arch }) => {
    // The engine asks a server for exactly this name.
    const file = `${PLUGIN}-v${version}-${os}-${arch}.tar.gz`;
    await fs.writeFile(path.join(folder, file), archive);
    return { ...(await describeFile(folder, file, "plugin")), os, arch };
  });
  return Promise.all(written);
}

/** @param {Context} context */
async function packSdks(context) {
  const draft = await fs.mkdtemp(path.join(os.tmpdir(), "sdks-"));
  const { root, env, repository } = context;
  try {
    const { pluginServer, goModule } = repository;
    await makeSdks({ root, env, folder: draft, goModule, ...(pluginServer ? { pluginServer } : {}) });
    return [await packNode(context, draft), await packPython(context, draft), await packGo(context, draft)];
  } finally {
    await fs.rm(draft, { recursive: true, force: true });
  }
}

/** @param {Context} context @param {string} draft */
async function packNode({ root, env, folder }, draft) {
  const sdk = path.join(draft, "nodejs");
  await fs.symlink(path.join(root, "node_modules"), path.join(sdk, "node_modules"));
  const compiler = path.join(root, "node_modules", "typescript", "lib", "tsc.js");
  await capture("node", [compiler, "-p", sdk], { env });
  const compiled = path.join(sdk, "bin");
  for (const file of ["package.json", "README.md"]) await fs.copyFile(path.join(sdk, file), path.join(compiled, file));
  await fs.copyFile(path.join(root, "LICENSE"), path.join(compiled, "LICENSE"));
  const options = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
  const printed = await capture("npm", options, { cwd: compiled, env });
  return { ...(await describeFile(folder, printed.trim(), "sdk")), language: "nodejs" };
}

/** @param {Context} context @param {string} draft */
async function packPython({ env, folder }, draft) {
  // Not into the folder of the release: that may hold the wheel of an earlier version.
  const wheels = path.join(draft, "wheels");
  const options = ["wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--wheel-dir", wheels];
  // The date of every file in the wheel: the oldest that a zip archive can hold.
  const dated = { ...env, SOURCE_DATE_EPOCH: "315532800" };
  await capture("python3", ["-m", "pip", ...options, path.join(draft, "python")], { env: dated });
  const file = (await fs.readdir(wheels)).find((name) => name.endsWith(".whl")) ?? "";
  await fs.copyFile(path.join(wheels, file), path.join(folder, file));
  return { ...(await describeFile(folder, file, "sdk")), language: "python" };
}

/** @param {Context} context @param {string} draft */
async function packGo({ root, env, folder, version }, draft) {
  const sdk = path.join(draft, "go");
  const options = { cwd: sdk, env: { ...env, GOWORK: "off" } };
  await fs.copyFile(path.join(root, "LICENSE"), path.join(sdk, "LICENSE"));
  await capture("go", ["mod", "edit", `-require=github.com/pulumi/pulumi/sdk/v3@v${ENGINE_VERSION}`], options);
  await capture("go", ["mod", "tidy"], options);
  await fs.rm(path.join(folder, GO_MODULE), { recursive: true, force: true });
  await fs.cp(sdk, path.join(folder, GO_MODULE), { recursive: true });
  const entries = (await fs.readdir(sdk, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(sdk, path.join(entry.parentPath, entry.name)))
    .sort()
    .map(async (name) => ({
      name: `pulumi-event-datasets-go/${name}`,
      content: await fs.readFile(path.join(sdk, name)),
    }));
  const file = `pulumi-event-datasets-go-v${version}.tar.gz`;
  await fs.writeFile(path.join(folder, file), makeArchive(await Promise.all(entries)));
  return { ...(await describeFile(folder, file, "sdk")), language: "go" };
}

/** @param {Context} context */
async function copyDescriptions({ root, folder }) {
  await fs.copyFile(path.join(root, "schema.json"), path.join(folder, "schema.json"));
  await fs.copyFile(path.join(root, "dist", "sbom.cdx.json"), path.join(folder, "sbom.cdx.json"));
  return [
    await describeFile(folder, "schema.json", "schema"),
    await describeFile(folder, "sbom.cdx.json", "bill of materials"),
  ];
}

/**
 * @param {string} folder
 * @param {string} file
 * @param {Kind} kind
 * @returns {Promise<ReleaseFile>}
 */
async function describeFile(folder, file, kind) {
  const content = await fs.readFile(path.join(folder, file));
  return { file, kind, sha256: createHash("sha256").update(content).digest("hex"), bytes: content.length };
}
