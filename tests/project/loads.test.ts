import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { CHECKOUT as root } from "../support/checkout";
import { makeFolder } from "../support/suite";

// The modules that a command or an import loads: what is loaded costs time, and can break.

const folder = makeFolder();

/** Runs Node.js after a line of code. */
function run(before: string, args: readonly string[]) {
  const file = path.join(folder, "before.cjs");
  writeFileSync(file, before);
  return spawnSync(process.execPath, ["--require", file, ...args], { cwd: root, encoding: "utf8" });
}

/** The modules that are loaded, by their paths in the package. */
function loadedBy(...args: string[]): string[] {
  const { stderr } = run(`process.on("exit", () => console.error(Object.keys(require.cache).join("\\n")));`, args);
  const files = stderr.split("\n").filter((file) => file.startsWith(root) && !file.startsWith(folder));
  return files.map((file) => path.relative(root, file).split(path.sep).join("/"));
}

const main = "dist/cli/main.js";
const manuals = "dist/cli/manuals/index.js";

test.each([
  [["--version"], [main]],
  [["--help"], [main, manuals]],
  [
    ["help", "recover"],
    [main, manuals],
  ],
  [
    ["completion", "bash"],
    [main, manuals, "dist/cli/completion.js"],
  ],
  [["tokens"], [main, manuals]],
])("the command %j, which needs no service, loads no other file than it must", (args, files) => {
  expect(loadedBy(main, ...args)).toEqual(files);
});

test.each<[string, string[], needed: RegExp, refused: RegExp]>([
  [
    "the command tokens list",
    [main, "tokens", "list"],
    /undici/,
    /duckdb|@pulumi|age-encryption|libsodium|dist.(audit.(?!liveToken|account)|emulator|cli.(audit|reports|tokens.(?!list)))/,
  ],
  [
    "a program",
    ["-e", "require('pulumi-event-datasets')"],
    /provider.nouns.apiToken.resource.*provider.shared.seal.recipients/,
    /undici|lifecycle\.js|age-encryption|libsodium|seal.(libraries|seal|open)/,
  ],
  ["an audit", ["-e", "require('pulumi-event-datasets/audit')"], /dist.audit.index/, /@pulumi/],
  ["a policy pack", ["-e", "require('pulumi-event-datasets/policy')"], /dist.audit.pack.index/, /@pulumi/],
])("%s loads only what it needs", (_, args, needed, refused) => {
  const loaded = loadedBy(...args);
  expect(loaded.sort().join(" ")).toMatch(needed);
  expect(loaded.filter((file) => refused.test(file))).toEqual([]);
});

test("on a Node.js that is too old, every command prints only that", () => {
  const old = `Object.defineProperty(process.versions, "node", { value: "20.20.2" });`;
  for (const args of [["--help"], ["--version"], ["audit"], []]) {
    const { status, stdout, stderr } = run(old, [main, ...args]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^pulumi-event-datasets: Node\.js 22\.19 or newer is needed; this is [^\n]*\n$/);
  }
});
