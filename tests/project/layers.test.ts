import { spawnSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";

const root = join(__dirname, "../..");

const forbidden = [
  ["sdk/leak.ts", "@pulumi/pulumi"],
  ["sdk/leak.ts", "../provider/lifecycle/compare"],
  ["sdk/resources/leak.ts", "../../emulator"],
  ["provider/lifecycle/leak.ts", "@pulumi/pulumi"],
  ["provider/lifecycle/leak.ts", "undici"],
  ["provider/lifecycle/leak.ts", "../dynamic/adapter"],
  ["provider/lifecycle/leak.ts", "../resources/apiToken"],
  ["provider/dynamic/leak.ts", "undici"],
  ["provider/dynamic/leak.ts", "../resources/apiToken"],
  ["provider/dynamic/v1/leak.ts", "../../resources/apiToken"],
  ["provider/dynamic/leak.ts", "../functions/getTokens"],
  ["provider/resources/leak.ts", "undici"],
  ["provider/resources/leak.ts", "../lifecycle/apiToken"],
  ["provider/resources/leak.ts", "../dynamic/adapter"],
  ["provider/functions/leak.ts", "../lifecycle/apiToken"],
  ["provider/functions/leak.ts", "undici"],
  ["provider/components/leak.ts", "../lifecycle/annotation"],
  ["provider/components/leak.ts", "../dynamic/adapter"],
  ["provider/lifecycle/leak.ts", "../../ci"],
  ["provider/dynamic/leak.ts", "../../ci/git"],
  ["ci/leak.ts", "../sdk"],
  ["ci/leak.ts", "../provider/components/deploymentAnnotation"],
  ["emulator/leak.ts", "../sdk"],
  ["emulator/leak.ts", "../sdk/errors"],
  ["emulator/leak.ts", "../provider/lifecycle/instant"],
  ["emulator/leak.ts", "@pulumi/pulumi"],
  ["cli/leak.ts", "../provider/dynamic/adapter"],
  ["audit/leak.ts", "@pulumi/pulumi"],
  ["audit/leak.ts", "undici"],
  ["audit/leak.ts", "../provider/dynamic/strings"],
  ["audit/leak.ts", "../provider/resources/apiToken"],
  ["audit/leak.ts", "../provider/functions/getTokens"],
  ["audit/leak.ts", "../cli/reports"],
  ["audit/leak.ts", "../emulator"],
] as const;

const allowed = [
  ["provider/lifecycle/fine.ts", "../../sdk"],
  ["provider/dynamic/fine.ts", "../lifecycle/lifecycle"],
  ["provider/resources/fine.ts", "../dynamic/strings"],
  ["provider/resources/fine.ts", "../lifecycle/rotation"],
  ["provider/functions/fine.ts", "../../sdk/settings"],
  ["provider/components/fine.ts", "../dynamic/strings"],
  ["provider/components/fine.ts", "../../ci"],
  ["cli/fine.ts", "../ci"],
  ["emulator/fine.ts", "./store"],
  ["audit/fine.ts", "../provider/lifecycle/compare"],
  ["cli/fine.ts", "../audit"],
] as const;

const nameOf = (file: string, imported: string) => join(dirname(file), `${imported.replace(/\W+/g, "_")}.ts`);

let folder: string;
let leaks: string[];

/** Lints a tree that holds one import a file, under the rules of this project. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "layers-"));
  await copyFile(join(root, "biome.json"), join(folder, "biome.json"));
  for (const [file, imported] of [...forbidden, ...allowed]) {
    const target = join(folder, nameOf(file, imported));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, `import { it } from "${imported}";\n\nit();\n`);
  }
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const options = [
    "lint",
    "--only=style/noRestrictedImports",
    "--vcs-enabled=false",
    "--max-diagnostics=none",
    "--reporter=json",
  ];
  const { stdout } = spawnSync(process.execPath, [biome, ...options], { cwd: folder, encoding: "utf8" });
  const report = JSON.parse(stdout) as {
    diagnostics: { category: string; location: { path: string | { file: string } } }[];
  };
  leaks = report.diagnostics.map(({ location: { path } }) => (typeof path === "string" ? path : path.file));
});

afterAll(() => rm(folder, { recursive: true }));

test.each(forbidden)("%s may not import %s", (file, imported) => {
  expect(leaks).toContain(nameOf(file, imported));
});

test.each(allowed)("%s may import %s", (file, imported) => {
  expect(leaks).not.toContain(nameOf(file, imported));
});
