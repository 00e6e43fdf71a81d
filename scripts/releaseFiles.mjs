// @ts-check
// Builds the files of a release from the built tree: both npm packages, the plugin's archives, the SDKs, a manifest and checksums.
//   EVENT_DATASETS_REPOSITORY=https://… node scripts/releaseFiles.mjs FOLDER
import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import * as tar from "tar";
import { ENGINE_VERSION } from "./engine.mjs";
import { compileNodeSdk, makeSdks } from "./languages.mjs";
import { bundlePlugin } from "./steps/bundles.mjs";
import { withOwnBinaries } from "./steps/dependencies.mjs";
import { NOTICES } from "./steps/notices.mjs";
import { readRepository } from "./steps/repository.mjs";
import { capture } from "./steps/run.mjs";

/** @typedef {{ kind: "package" | "plugin" | "sdk" | "schema" | "bill of materials", os?: string, arch?: string, language?: string }} Facts */
/** @typedef {Facts & { file: string, sha256: string, bytes: number }} ReleaseFile */
/** @typedef {{ name: string, version: string, repository: string, goModule: string, pluginServer?: string, files: ReleaseFile[] }} Manifest */

const root = path.resolve(import.meta.dirname, "..");
const env = withOwnBinaries(root);
if (process.argv[2] === undefined) throw new Error("usage: node scripts/releaseFiles.mjs FOLDER");
const folder = path.resolve(process.argv[2]);
const { name, version, dependencies } = JSON.parse(await fs.readFile(path.join(root, "package.json"), "utf8"));
const { url, goModule, pluginServer } = readRepository(env, version);

const PLUGIN = "pulumi-resource-event-datasets";
/** The plugin is a script for Node.js with a `#!` line, so every archive has the same content, and Windows has none. */
const PLATFORMS = ["linux", "darwin"].flatMap((os) => ["amd64", "arm64"].map((arch) => ({ os, arch })));

/** @param {string} cwd the package's folder */
async function packNpm(cwd) {
  const options = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
  return (await capture("npm", options, { cwd, env })).trim().split("\n").at(-1) ?? "";
}

/**
 * A gzipped tar archive. It holds no time and no owner, so the same files are always the same bytes.
 * @param {string} file
 * @param {string} cwd
 * @param {string[]} files
 * @param {string} prefix
 */
const archive = (file, cwd, files, prefix = "") =>
  tar.create({ file: path.join(folder, file), cwd, prefix, gzip: true, portable: true, mtime: new Date(0) }, files);

async function packPlugin() {
  // The engine asks a server for exactly this name.
  const files = PLATFORMS.map((platform) => ({
    ...platform,
    file: `${PLUGIN}-v${version}-${platform.os}-${platform.arch}.tar.gz`,
  }));
  for (const { file } of files) await archive(file, path.join(root, "dist", "native"), [PLUGIN, NOTICES]);
  return Promise.all(files.map(({ file, ...platform }) => describeFile(file, { kind: "plugin", ...platform })));
}

/** @param {string} draft */
async function packSdks(draft) {
  await makeSdks({ root, env, folder: draft, goModule, ...(pluginServer ? { pluginServer } : {}) });
  const [node, python, go] = ["nodejs", "python", "go"].map((language) => path.join(draft, language));
  const files = {
    nodejs: await packNode(node ?? ""),
    python: await packPython(python ?? ""),
    go: await packGo(go ?? ""),
  };
  return Promise.all(Object.entries(files).map(([language, file]) => describeFile(file, { kind: "sdk", language })));
}

/** @param {string} sdk */
async function packNode(sdk) {
  const compiled = path.join(sdk, "bin");
  await compileNodeSdk(root, env, sdk, compiled, []);
  await fs.copyFile(path.join(sdk, "README.md"), path.join(compiled, "README.md"));
  await fs.copyFile(path.join(root, "LICENSE"), path.join(compiled, "LICENSE"));
  return packNpm(compiled);
}

/** @param {string} sdk */
async function packPython(sdk) {
  // Not into the folder of the release: that may hold the wheel of an earlier version.
  const wheels = path.join(path.dirname(sdk), "wheels");
  const options = ["wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--wheel-dir", wheels];
  // The date of every file in the wheel: the oldest that a zip archive can hold.
  const dated = { ...env, SOURCE_DATE_EPOCH: "315532800" };
  await capture("python3", ["-m", "pip", ...options, sdk], { env: dated });
  const file = (await fs.readdir(wheels)).find((name) => name.endsWith(".whl")) ?? "";
  await fs.copyFile(path.join(wheels, file), path.join(folder, file));
  return file;
}

/** Also leaves the module as a folder: the release tags a commit that has it. @param {string} sdk */
async function packGo(sdk) {
  const options = { cwd: sdk, env: { ...env, GOWORK: "off" } };
  await fs.copyFile(path.join(root, "LICENSE"), path.join(sdk, "LICENSE"));
  await capture("go", ["mod", "edit", `-require=github.com/pulumi/pulumi/sdk/v3@v${ENGINE_VERSION}`], options);
  await capture("go", ["mod", "tidy"], options);
  await fs.rm(path.join(folder, "go"), { recursive: true, force: true });
  await fs.cp(sdk, path.join(folder, "go"), { recursive: true });
  const entries = (await fs.readdir(sdk, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const files = entries.map((entry) => path.relative(sdk, path.join(entry.parentPath, entry.name))).sort();
  const file = `pulumi-event-datasets-go-v${version}.tar.gz`;
  await archive(file, sdk, files, "pulumi-event-datasets-go");
  return file;
}

/**
 * Writes the bill of materials: the packages that npm installs with this one, and the packages in the plugin. It has neither a time
 * nor a random serial number, so two builds of one commit are the same.
 * @param {string} draft
 */
async function writeSbom(draft) {
  const options = ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"];
  const { serialNumber: _, ...bom } = JSON.parse(await capture("npm", options, { cwd: root, env }));
  const installed = Object.entries(dependencies).map((one) => one.join("@"));
  const bundled = (await bundlePlugin(root, draft)).map(({ name, version }) => `${name}@${version}`);
  const parts = new Set([...installed, ...bundled]);
  const isPart = (/** @type {string} */ ref) => parts.has(ref);
  const own = bom.metadata.component["bom-ref"];
  const components = bom.components.filter((/** @type {any} */ one) => isPart(one["bom-ref"]));
  const tree = bom.dependencies
    .filter((/** @type {any} */ one) => one.ref === own || isPart(one.ref))
    .map((/** @type {any} */ one) => ({ ref: one.ref, dependsOn: one.dependsOn.filter(isPart) }));
  const { timestamp: __, ...metadata } = { ...bom.metadata, component: { ...bom.metadata.component, name } };
  const content = { ...bom, metadata, components, dependencies: tree };
  await fs.writeFile(path.join(folder, "sbom.cdx.json"), `${JSON.stringify(content, undefined, 2)}\n`);
}

/** @param {string} file @param {Facts} facts @returns {Promise<ReleaseFile>} */
async function describeFile(file, facts) {
  const content = await fs.readFile(path.join(folder, file));
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { file, ...facts, sha256, bytes: content.length };
}

const draft = await fs.mkdtemp(path.join(os.tmpdir(), "event-datasets-release-"));
try {
  await fs.mkdir(folder, { recursive: true });
  const packages = [await packNpm(root), await packNpm(path.join(root, "emulator"))];
  await fs.copyFile(path.join(root, "schema.json"), path.join(folder, "schema.json"));
  await writeSbom(draft);
  const files = [
    ...(await Promise.all(packages.map((file) => describeFile(file, { kind: "package" })))),
    ...(await packPlugin()),
    ...(await packSdks(draft)),
    await describeFile("schema.json", { kind: "schema" }),
    await describeFile("sbom.cdx.json", { kind: "bill of materials" }),
  ];
  /** @type {Manifest} */
  const manifest = { name, version, repository: url, goModule, ...(pluginServer ? { pluginServer } : {}), files };
  await fs.writeFile(path.join(folder, "manifest.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const listed = [...files, await describeFile("manifest.json", { kind: "package" })];
  const sums = listed.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join("");
  await fs.writeFile(path.join(folder, "SHA256SUMS"), sums);
  process.stdout.write(sums);
} finally {
  await fs.rm(draft, { recursive: true, force: true });
}
