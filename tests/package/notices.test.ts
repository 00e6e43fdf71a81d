import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "@jest/globals";
import { requireBuild } from "../support/checkout";
import { packedPackage } from "../support/packages";
import { CHECKOUT } from "../support/program";

const run = promisify(execFile);
const notices = "THIRD-PARTY-NOTICES.txt";

/** Every bundle of the two packages, by its folder in the tree. */
const bundles = {
  "dist/native": { entries: ["framework/native/main.ts", "provider/eventDatasets.ts"], platform: "node" },
  "emulator/dist/page": { entries: ["emulator/page/page.ts", "emulator/page/page.css"], platform: "browser" },
} as const;

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
