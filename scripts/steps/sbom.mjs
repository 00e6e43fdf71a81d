// @ts-check
import fs from "node:fs/promises";
import path from "node:path";

/**
 * @typedef {{
 *   version?: string, integrity?: string, license?: string, dependencies?: Record<string, string>
 * }} Locked
 */

export const SBOM = "sbom.cdx.json";

/**
 * Writes the bill of materials in the format CycloneDX 1.6: the packages that npm installs with this one, and the packages in its
 * bundles. It has neither a time nor a random serial number, so two builds of one commit are the same.
 * @param {string} root
 * @param {string} folder
 * @param {readonly import("./notices.mjs").BundleContent[]} bundles
 * @param {string} workspace the package's folder
 */
export async function writeSbom(root, folder, bundles, workspace = "") {
  const read = async (/** @type {string} */ file) => JSON.parse(await fs.readFile(path.join(root, file), "utf8"));
  const { name, version, description, license, dependencies } = await read(path.join(workspace, "package.json"));
  /** @type {Record<string, Locked>} */
  const locked = (await read("package-lock.json")).packages;
  const installed = installedWith(locked, Object.keys(dependencies));
  const components = componentsOf(root, locked, installed, bundles);
  const own = { type: "library", "bom-ref": purlOf(name, version), name, version, description };
  const refs = (/** @type {readonly string[]} */ places) => places.map((place) => refOf(locked, place)).sort();
  const bom = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { ...own, purl: own["bom-ref"], licenses: licencesOf(license) } },
    components,
    dependencies: [
      { ref: own["bom-ref"], dependsOn: refs(Object.keys(dependencies).map((one) => `node_modules/${one}`)) },
      ...[...installed].map(([place, needs]) => ({ ref: refOf(locked, place), dependsOn: refs(needs) })),
    ],
  };
  await fs.writeFile(path.join(folder, SBOM), `${JSON.stringify(bom, undefined, 2)}\n`);
}

/**
 * Finds the packages that npm installs for these names. The result maps the path of each to the paths of its dependencies.
 * @param {Readonly<Record<string, Locked>>} locked
 * @param {readonly string[]} names
 * @returns {Map<string, string[]>}
 */
export function installedWith(locked, names) {
  const found = new Map();
  const waiting = names.map((name) => placeOf(locked, "", name));
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (found.has(place)) continue;
    const from = place;
    const needs = Object.keys(locked[place]?.dependencies ?? {}).map((name) => placeOf(locked, from, name));
    found.set(place, needs);
    waiting.push(...needs);
  }
  return found;
}

/**
 * Finds a package as Node.js does: in the importer's own node_modules, or in the next one above.
 * @param {Readonly<Record<string, Locked>>} locked
 * @param {string} from
 * @param {string} name
 */
function placeOf(locked, from, name) {
  for (let folder = from; ; folder = folder.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, "")) {
    const place = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (place in locked) return place;
    if (folder === "") throw new Error(`package-lock.json lacks ${name}, which ${from || "the package"} needs`);
  }
}

/**
 * @param {string} root
 * @param {Readonly<Record<string, Locked>>} locked
 * @param {ReadonlyMap<string, unknown>} installed
 * @param {readonly import("./notices.mjs").BundleContent[]} bundles
 */
function componentsOf(root, locked, installed, bundles) {
  /** @type {Map<string, { place: string, bundles: string[] }>} */
  const found = new Map();
  const note = (/** @type {string} */ place) => {
    const entry = found.get(refOf(locked, place)) ?? { place, bundles: [] };
    found.set(refOf(locked, place), entry);
    return entry;
  };
  for (const place of installed.keys()) note(place);
  for (const { bundle, packages } of bundles) {
    for (const { folder } of packages) note(path.relative(root, folder).replaceAll(path.sep, "/")).bundles.push(bundle);
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([ref, { place, bundles: containers }]) => {
      const { version, license, integrity } = locked[place] ?? {};
      return {
        type: "library",
        "bom-ref": ref,
        name: nameOf(place),
        version,
        purl: ref,
        ...(license ? { licenses: licencesOf(license) } : {}),
        ...(integrity ? { hashes: hashesOf(integrity) } : {}),
        properties: containers.map((value) => ({ name: "event-datasets:bundledIn", value })),
      };
    });
}

/** @param {string} place */
const nameOf = (place) => place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);

/** @param {Readonly<Record<string, Locked>>} locked @param {string} place */
const refOf = (locked, place) => purlOf(nameOf(place), locked[place]?.version ?? "");

/** @param {string} name @param {string} version */
const purlOf = (name, version) => `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** @param {string} license an SPDX identifier or expression */
const licencesOf = (license) =>
  /\s/.test(license) ? [{ expression: license.replace(/^\((.*)\)$/, "$1") }] : [{ license: { id: license } }];

/** @param {string} integrity as in a lockfile */
const hashesOf = (integrity) =>
  integrity.split(" ").flatMap((one) => {
    const [, bits, hash = ""] = /^sha(\d+)-(.+)$/.exec(one) ?? [];
    return bits ? [{ alg: `SHA-${bits}`, content: Buffer.from(hash, "base64").toString("hex") }] : [];
  });
