import { spawnSync } from "node:child_process";
import { cp, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { requireBuild } from "../support/build";
import { CHECKOUT } from "../support/program";

// The built package in a folder from which no other one can be found.
let folder = "";
beforeAll(async () => {
  requireBuild();
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "without-emulator-")));
  for (const part of ["dist", "package.json"])
    await cp(path.join(CHECKOUT, part), path.join(folder, part), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const node = (...args: string[]) => spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });

const missing =
  /needs the package event-datasets-emulator, which is not installed: npm install --save-dev event-datasets-emulator@\d/;

test("serve without the emulator's package says how to install it, and its help works", () => {
  const { status, stdout, stderr } = node("dist/cli/main.js", "serve", "--port", "0");
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: "",
    stderr: expect.stringMatching(new RegExp(`pulumi-event-datasets serve ${missing.source}`)),
  });
  expect(node("dist/cli/main.js", "serve", "--help").stdout).toContain("--query-timeout");
});

test("so does startEmulator of /testing", () => {
  const script = 'require("./dist/testing").startEmulator().catch((failure) => console.log(failure.message))';
  expect(node("-e", script).stdout).toMatch(new RegExp(`^pulumi-event-datasets/testing ${missing.source}`));
});
