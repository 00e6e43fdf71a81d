import { execFileSync } from "node:child_process";
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

test("the version and the help load neither the client nor any command", () => {
  expect(loadedBy("--version").length).toBeLessThanOrEqual(9);
  for (const args of [["--help"], ["tokens", "--help"], ["help", "audit"], ["serve", "--help"]]) {
    const loaded = loadedBy(...args);
    expect(loaded).toContain(path.join("dist", "cli", "manuals", "tokens.js"));
    expect(loaded.length).toBeLessThanOrEqual(26);
    expect(
      loaded.filter((file) => /node_modules|sdk.(client|transport)|cli.(tokens|audit|serve)\.js/.test(file)),
    ).toEqual([]);
  }
});

test("a command loads what it runs with: of the libraries, the client's", () => {
  const loaded = loadedBy("tokens");
  expect(loaded.some((file) => file.includes("undici"))).toBe(true);
  expect(loaded.filter((file) => /duckdb|@pulumi|age-encryption|libsodium/.test(file))).toEqual([]);
});
