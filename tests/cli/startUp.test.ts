import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";

const root = path.resolve(__dirname, "../..");

let folder: string;
let note: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "start-up-"));
  note = path.join(folder, "note.cjs");
  const loaded = `Object.keys(require.cache).join("\\n")`;
  writeFileSync(note, `process.on("exit", () => require("fs").writeSync(2, ${loaded}));`);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The modules that a command loads, by their paths in the package. */
function loadedBy(...args: string[]): string[] {
  const line = `"${process.execPath}" --require "${note}" dist/cli/main.js ${args.join(" ")} 2>&1 >/dev/null`;
  const loaded = execFileSync("sh", ["-c", `${line}; true`], { cwd: root, encoding: "utf8" }).split("\n");
  return loaded.filter((file) => file.startsWith(root)).map((file) => path.relative(root, file));
}

const main = "dist/cli/main.js";
const manuals = "dist/cli/manuals/index.js";

test.each([
  [["--version"], [main]],
  [["--help"], [main, manuals]],
  [
    ["tokens", "--help"],
    [main, manuals],
  ],
  [
    ["help", "recover"],
    [main, manuals],
  ],
  [
    ["completion", "bash"],
    [main, manuals, "dist/cli/completion.js"],
  ],
  [["tokens"], [main, manuals]],
])("%j, which needs no service, loads no other file than it must", (args, files) => {
  expect(loadedBy(...args)).toEqual(files);
});

test("a command loads only the modules that it needs: of the libraries, only the client's", () => {
  const loaded = loadedBy("tokens", "list");
  expect(loaded.some((file) => file.includes("undici"))).toBe(true);
  expect(loaded.filter((file) => /duckdb|@pulumi|age-encryption|libsodium/.test(file))).toEqual([]);
  const others = /dist.(audit.(?!capabilities|account)|emulator|cli.(audit|reports|tokens.(?!list|selection)))/;
  expect(loaded.filter((file) => others.test(file))).toEqual([]);
});

test("on a Node.js that is too old, every command prints only that", () => {
  const old = path.join(folder, "old.cjs");
  writeFileSync(old, `Object.defineProperty(process.versions, "node", { value: "20.20.2" });`);
  for (const args of [["--help"], ["--version"], ["audit"], []]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", old, main, ...args], { cwd: root });
    expect([status, stdout.toString()]).toEqual([2, ""]);
    expect(stderr.toString()).toMatch(/^event-datasets: Node\.js 22\.19 or newer is needed; this is [^\n]*\n$/);
  }
});
