import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "@jest/globals";
import { requireBuild } from "../support/checkout";
import { npm, packedEmulator } from "../support/packages";
import { CHECKOUT } from "../support/program";
import { makeFolder } from "../support/suite";

const run = promisify(execFile);

const folder = makeFolder();
let tarball = "";
let files: readonly string[] = [];
beforeAll(async () => {
  requireBuild();
  const packed = await packedEmulator();
  tarball = packed.file;
  files = packed.files.map((file) => file.path);
});

test("the emulator's package has its build, its README and its licence, and no other files", () => {
  expect([...new Set(files.map((file) => file.replace(/\/.*$/, "/")))].sort()).toEqual([
    "LICENSE",
    "README.md",
    "apl/",
    "dist/",
    "package.json",
  ]);
  expect(files.filter((file) => /(?<!\.d)\.ts$|\.peggy$|test/.test(file) && !/^dist\/testing\./.test(file))).toEqual(
    [],
  );
  expect(files).toEqual(expect.arrayContaining(["dist/page/page.js", "dist/engine/worker.js", "dist/main.js"]));
});

test('publint and "are the types wrong?" find nothing in it', async () => {
  const script = path.join(CHECKOUT, "scripts/packageChecks.mjs");
  const { stdout } = await run(process.execPath, [script, tarball], { env: { ...process.env, NODE_OPTIONS: "" } });
  expect(JSON.parse(stdout)).toEqual([]);
});

test("installed alone, one command serves queries", async () => {
  await writeFile(path.join(folder, "package.json"), '{ "name": "alone", "private": true }');
  await npm(["install", "--prefer-offline", "--no-audit", "--no-fund", tarball], folder);
  const command = path.join(folder, "node_modules/.bin/event-datasets-emulator");
  const env = { ...process.env, EVENT_DATASETS_ROOT_TOKEN: "root" };
  const child = spawn(command, ["--port", "0", "--data", path.join(folder, "data")], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = await once(createInterface(child.stdout), "line");
    const url = /^listening on (.*)$/.exec(String(line))?.[1];
    const headers = { authorization: "Bearer root", "content-type": "application/json" };
    const answer = await fetch(`${url}/v1/datasets/_apl`, {
      method: "POST",
      headers,
      body: '{"apl":"print x = 1 + 1"}',
    });
    expect([answer.status, ((await answer.json()) as { matches: { data: object }[] }).matches[0]?.data]).toEqual([
      200,
      { x: 2 },
    ]);
  } finally {
    child.kill("SIGTERM");
  }
  expect(await once(child, "exit")).toEqual([0, null]);
});
