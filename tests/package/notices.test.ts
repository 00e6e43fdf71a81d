import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "@jest/globals";
import { requireBuild } from "../support/build";
import { npm, packedPackage } from "../support/packed";
import { CHECKOUT } from "../support/program";

const run = promisify(execFile);
const notices = "THIRD-PARTY-NOTICES.txt";

/** Every bundle of the two packages, by its folder in the tree. */
const bundles = {
  "dist/native": { entries: ["provider/native/main.ts"], platform: "node" },
  "emulator/dist/page": { entries: ["emulator/page/page.ts", "emulator/page/page.css"], platform: "browser" },
} as const;

interface Component {
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly licenses: readonly object[];
  readonly hashes: readonly object[];
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

let files: ReadonlySet<string>;
beforeAll(async () => {
  requireBuild();
  files = new Set((await packedPackage()).files.map((file) => file.path));
});

/** Finds the packages in a bundle: without minification, the bundler writes the path of each module above its code. */
async function packagesInBundle({ entries, platform }: (typeof bundles)[keyof typeof bundles]): Promise<string[]> {
  // In a separate process, because a bundler does not work among jest's modules.
  const program = `
    const [platform, ...entryPoints] = process.argv.slice(1);
    const { outputFiles } = require("esbuild").buildSync({ entryPoints, platform, bundle: true, write: false,
      outdir: "unused", target: "esnext", external: ["@grpc/proto-loader"] });
    process.stdout.write(outputFiles.map((file) => file.text).join("\\n"));`;
  const { stdout } = await run(process.execPath, ["-e", program, platform, ...entries], {
    cwd: CHECKOUT,
    env: { ...process.env, NODE_OPTIONS: "" },
    maxBuffer: 64 * 1024 * 1024,
  });
  const modules = stdout.matchAll(/^ *(?:\/\/|\/\*) (node_modules\/\S*)/gm);
  const folders = [...modules].map(([, file = ""]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? "");
  const manifests = [...new Set(folders)].map(async (folder) => {
    const { name, version } = JSON.parse(await readFile(path.join(CHECKOUT, folder, "package.json"), "utf8"));
    return `${name} ${version}`;
  });
  return (await Promise.all(manifests)).sort();
}

const read = (file: string) => readFile(path.join(CHECKOUT, file), "utf8");

test.each(Object.entries(bundles))(
  "%s has the licence of every package in its bundle, and no other",
  async (folder, bundle) => {
    if (folder.startsWith("dist/")) expect(files).toContain(`${folder}/${notices}`);
    const [, ...sections] = (await read(`${folder}/${notices}`)).split(/^={80}\n/m);
    const wanted = await packagesInBundle(bundle);
    expect(wanted.length).toBeGreaterThan(0);
    expect(sections.map((section) => /^(.*) \(.*\)\n/.exec(section)?.[1]).sort()).toEqual(wanted);
    const bare = sections.filter((section) => section.length < 500 || !/copyright|licen[cs]e/i.test(section));
    expect(bare).toEqual([]);
  },
);

test("the bill of materials has what npm installs with the package, and what its bundles contain", async () => {
  expect(files).toContain("dist/sbom.cdx.json");
  const bom = JSON.parse(await read("dist/sbom.cdx.json"));
  const components: readonly Component[] = bom.components;
  expect({ format: bom.bomFormat, version: bom.specVersion }).toEqual({ format: "CycloneDX", version: "1.6" });
  const options = ["--package-lock-only", "--omit=dev", "--omit=peer", "--omit=optional"];
  const said = await npm(["sbom", "--sbom-format=cyclonedx", ...options], CHECKOUT);
  const installed: string[] = JSON.parse(said).components.map((one: Component) => one["bom-ref"]);
  // npm counts the workspace as a part of the root, but it is a separate package with its own bill.
  const emulator = JSON.parse(await read("emulator/dist/sbom.cdx.json"));
  const apart = [emulator.metadata.component, ...emulator.components].map((one: Component) => one["bom-ref"]);
  const plain = (ref: string) => ref.replace("pkg:npm/", "").replace("%40", "@");
  const refs = components.map((one) => plain(one["bom-ref"]));
  const elsewhere = apart.map(plain);
  expect(installed.filter((ref) => !refs.includes(ref) && !elsewhere.includes(ref))).toEqual([]);
  for (const [folder, bundle] of Object.entries(bundles).filter(([name]) => name.startsWith("dist/"))) {
    const listed = components.filter(({ properties }) => properties.some(({ value }) => value.startsWith(folder)));
    expect(listed.map(({ name, version }) => `${name} ${version}`).sort()).toEqual(await packagesInBundle(bundle));
  }
  const bundled = components.filter(({ properties }) => properties.length > 0).length;
  expect(components.length).toBeLessThanOrEqual(bundled + installed.length);
  expect(components.filter(({ licenses, hashes }) => !licenses || !hashes)).toEqual([]);
});

test("the emulator's own bill of materials has its dependencies, and what its page contains", async () => {
  const { components } = JSON.parse(await read("emulator/dist/sbom.cdx.json")) as { components: Component[] };
  const bundled = components.filter(({ properties }) => properties.some(({ value }) => value.startsWith("dist/page")));
  const wanted = await packagesInBundle(bundles["emulator/dist/page"]);
  expect(bundled.map(({ name, version }) => `${name} ${version}`).sort()).toEqual(wanted);
  expect(components.map(({ name }) => name)).toContain("@duckdb/node-api");
});

test("every part of the dependency tree in the bill of materials is one of its components", async () => {
  const bom = JSON.parse(await read("dist/sbom.cdx.json"));
  const known = new Set([bom.metadata.component, ...bom.components].map((one: Component) => one["bom-ref"]));
  const named = bom.dependencies.flatMap(({ ref, dependsOn }: { ref: string; dependsOn: string[] }) => [
    ref,
    ...dependsOn,
  ]);
  expect(named.filter((ref: string) => !known.has(ref))).toEqual([]);
});
