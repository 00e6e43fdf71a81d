// @ts-check
import fs from "node:fs/promises";
import path from "node:path";

/** A third-party package in a bundle. @typedef {{ name: string, version: string, license: string, folder: string }} Bundled */

export const NOTICES = "THIRD-PARTY-NOTICES.txt";
const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;
const RULE = "=".repeat(80);

/**
 * Lists the packages whose code is in the output of esbuild, by name and version.
 * @param {import("esbuild").Metafile} metafile
 * @param {string} base the folder that its paths start from
 * @returns {Promise<Bundled[]>}
 */
export async function packagesIn(metafile, base) {
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const folders = inputs.flatMap(([input, { bytesInOutput }]) => {
    const [folder] = /^.*\/?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
    return folder !== undefined && bytesInOutput > 0 ? [path.resolve(base, folder)] : [];
  });
  const found = [...new Set(folders)].map(async (folder) => {
    const { name, version, license } = JSON.parse(await fs.readFile(path.join(folder, "package.json"), "utf8"));
    return { name, version, license, folder };
  });
  return (await Promise.all(found)).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** @param {Bundled} bundled */
const keyOf = ({ name, version }) => `${name} ${version}`;

/**
 * Writes the licences of the packages in a bundle next to it. Most of these licences require that for every copy.
 * @param {string} folder of the bundle
 * @param {readonly Bundled[]} packages
 */
export async function writeNotices(folder, packages) {
  const sections = await Promise.all(packages.map(async (one) => `${RULE}\n${await describe(one)}\n`));
  const head = "The files in this folder contain code of these packages.\n";
  await fs.writeFile(path.join(folder, NOTICES), [head, ...sections].join("\n"));
}

/** @param {Bundled} bundled */
async function describe(bundled) {
  const files = (await fs.readdir(bundled.folder)).filter((file) => LICENCE_FILE.test(file)).sort();
  if (files.length === 0) throw new Error(`${keyOf(bundled)} has no licence file, but a bundle contains it`);
  const texts = files.map(async (file) => (await fs.readFile(path.join(bundled.folder, file), "utf8")).trim());
  return [`${keyOf(bundled)} (${bundled.license})`, ...(await Promise.all(texts))].join("\n\n");
}
