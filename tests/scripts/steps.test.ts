import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { hashOf, isCurrent } from "../../scripts/steps/build.mjs";
import { isSameInstallation } from "../../scripts/steps/dependencies.mjs";
import { attach, capture, endAll } from "../../scripts/steps/run.mjs";
import { drivesEngine, drivesLanguages, findNeeds, selectTests } from "../../scripts/steps/tests.mjs";
import { countTests } from "../jest/summaryReporter.js";
import { makeFolder } from "../support/suite";

describe("an installation", () => {
  const locked = {
    packages: {
      "": { version: "0.1.0" },
      "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
      "node_modules/self": { link: true },
      "node_modules/for-another-platform": { version: "2.0.0", optional: true },
    },
  };
  const { "node_modules/a": a, "node_modules/self": self } = locked.packages;
  const complete = { "node_modules/a": a, "node_modules/self": self };

  test.each<[string, object, boolean]>([
    ["only what is optional is missing", complete, true],
    ["a package is missing", { "node_modules/self": self }, false],
    ["a package has another version", { ...complete, "node_modules/a": { ...a, version: "1.0.1" } }, false],
    ["a package has other content", { ...complete, "node_modules/a": { ...a, integrity: "sha512-b" } }, false],
    ["a link is a copy", { ...complete, "node_modules/self": { version: "0.1.0" } }, false],
    ["there is one more package", { ...complete, "node_modules/b": a }, false],
    ["there is nothing", {}, false],
  ])("where %s fulfils the lockfile: %j", (_, packages, isSame) => {
    expect(isSameInstallation(locked, { packages: { ...packages } })).toBe(isSame);
  });
});

test("the first command of a fresh clone starts before there are any packages", async () => {
  const root = makeFolder();
  await cp("scripts", path.join(root, "scripts"), { recursive: true });
  const started = capture("node", ["scripts/bootstrap.mjs", "unknown"], { cwd: root });
  await expect(started).rejects.toThrow("usage: npm run <test|");
});

test("the hash of what decides the build changes with its sources and settings, not with a date or with what is no source", async () => {
  const root = makeFolder();
  const write = async (file: string, content: string) => {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), content);
    return hashOf(root);
  };
  await write("tsconfig.build.json", "{}");
  const first = await write("sdk/resources/tokens.ts", "export {};");
  expect(await write("README.md", "new")).toBe(first);
  expect(await write("sdk/resources/tokens.ts", "export {};")).toBe(first);
  const changed = [
    await write("sdk/resources/tokens.ts", "export const a = 1;"),
    await write("sdk/resources/more.ts", ""),
    await write("tsconfig.build.json", '{ "a": 1 }'),
    await write("package-lock.json", "{}"),
  ];
  await cp(path.join(root, "sdk/resources/tokens.ts"), path.join(root, "sdk/tokens.ts"));
  await rm(path.join(root, "sdk/resources/tokens.ts"));
  expect(new Set([first, ...changed, await hashOf(root)]).size).toBe(6);
});

test("a build is current as long as the sources are those that it came from", async () => {
  const root = makeFolder();
  const cache = path.join(root, "node_modules/.cache/pulumi-event-datasets");
  for (const folder of [cache, ...["dist", "schemas", "emulator/dist", "sdk"].map((name) => path.join(root, name))])
    await mkdir(folder, { recursive: true });
  expect(await isCurrent(root)).toBe(false);
  await writeFile(path.join(cache, "build"), await hashOf(root));
  expect(await isCurrent(root)).toBe(true);
  await writeFile(path.join(root, "sdk/new.ts"), "");
  expect(await isCurrent(root)).toBe(false);
});

test("a program that fails gives its exit code and the end of what it said, and one that hangs is ended with all that it started", async () => {
  await expect(capture("sh", ["-c", "echo why >&2; exit 7"])).rejects.toThrow(/exit code 7\nwhy$/);
  const hanging = ["-c", "sleep 3600 & sleep 3600"];
  await expect(capture("sh", hanging, { timeoutMs: 200 })).rejects.toThrow("no end after 0.2 s");
  await expect(attach("no-such-program", [])).rejects.toThrow("ENOENT");
});

test("a failure waits for the end of all that was begun with it", async () => {
  let hasEnded = false;
  const slow = new Promise(setImmediate).then(() => {
    hasEnded = true;
  });
  await expect(endAll([Promise.reject(new Error("the first")), slow])).rejects.toThrow("the first");
  expect(hasEnded).toBe(true);
});

test("only suites that drive the engine wait for one, and only programs in other languages for their hosts", () => {
  expect(drivesEngine("tests/e2e/tokens.test.ts", "")).toBe(true);
  expect(drivesEngine("tests/support/hosts.test.ts", 'import { createWorkspace } from "./engine";')).toBe(true);
  expect(drivesEngine("tests/scripts/demo.test.ts", "// Needs the engine, as what imports support/engine does.")).toBe(
    true,
  );
  expect(drivesEngine("tests/sdk/retry.test.ts", 'import { test } from "@jest/globals";')).toBe(false);
  expect(drivesLanguages("tests/native/languages/yaml.test.ts")).toBe(true);
  expect(drivesLanguages("tests/native/token.test.ts")).toBe(false);
});

test("what the selected suites need is found whatever Jest shall print", async () => {
  const root = path.resolve(__dirname, "../..");
  expect(await findNeeds(root, ["tests/e2e/rotation", "--json"])).toEqual({ engine: true, languages: false });
});

test("a command's own options become variables, and its paths give way to those of the user", () => {
  expect(selectTests("kills", ["--seed", "7", "-t", "rotation"])).toEqual({
    args: ["tests/kills", "-t", "rotation"],
    env: { EVENT_DATASETS_KILL_INSTANTS: "200", EVENT_DATASETS_FUZZ_SEED: "7" },
  });
  expect(selectTests("fuzz", ["--runs", "1", "tests/fuzz/histories"])).toEqual({
    args: ["tests/fuzz/histories"],
    env: { EVENT_DATASETS_FUZZ_RUNS: "1" },
  });
  expect(selectTests("fuzz", []).args).toEqual(
    expect.arrayContaining(["tests/fuzz", "tests/audit/properties.test.ts"]),
  );
  expect(() => selectTests("fuzz", ["--seed"])).toThrow("--seed: must be a whole number");
});

test("the last line counts suites that could not run as failures, and a run without tests too", () => {
  const none = { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0, wasInterrupted: false };
  expect(countTests({ ...none, numPassedTests: 9, numFailedTests: 2 })).toEqual({ passed: 9, failed: 2 });
  expect(countTests({ ...none, numPassedTests: 9, numRuntimeErrorTestSuites: 1 })).toEqual({ passed: 9, failed: 1 });
  expect(countTests({ ...none, numPassedTests: 9, wasInterrupted: true })).toEqual({ passed: 9, failed: 1 });
  expect(countTests(none)).toEqual({ passed: 0, failed: 1 });
});
