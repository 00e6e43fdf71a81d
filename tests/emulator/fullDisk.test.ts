import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { call, newFolder, rootToken, start } from "./harness";

const size = 34;
const ballastBytes = 14 * 1024 * 1024;

/** The emulator on a file system of its own, which only its process can see. Needs Linux, as all tests do. */
async function startOnSmallDisk(mounted: string) {
  const script = `const { startEmulator } = require(${JSON.stringify(path.resolve("emulator/dist"))});
    require("node:fs").writeFileSync(${JSON.stringify(path.join(mounted, "ballast"))}, Buffer.alloc(${ballastBytes}));
    startEmulator(${JSON.stringify({ dataDir: path.join(mounted, "data"), rootToken, profile: "extended" })}).then(({ url }) =>
      console.log(url),
    );`;
  const mount = `mount -t tmpfs -o size=${size}m tmpfs "$1" && exec "$2" -e "$3"`;
  const child = spawn("unshare", ["-rm", "sh", "-c", mount, "sh", mounted, process.execPath, script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = String((await once(child.stdout, "data"))[0]).trim();
  return {
    url,
    freeSpace: () => rm(`/proc/${child.pid}/root${mounted}/ballast`),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

test("after a full disk the next query, ingest and token work, and everything acknowledged is there", async () => {
  await using emulator = await startOnSmallDisk(await newFolder());
  const events = () => Array.from({ length: 3_000 }, () => ({ a: randomUUID(), b: randomUUID() }));
  const ingest = () => call(emulator.url, "POST /v1/datasets/web/ingest", { body: events() });
  const count = async () => {
    const { status, body } = await call(emulator.url, "POST /v1/datasets/_apl?format=tabular", {
      body: { apl: "['web'] | count" },
    });
    return status === 200 ? body.tables[0].columns[0][0] : body.message;
  };
  let stored = 0;
  const refused = [];
  while (refused.length < 3) {
    const { status, body } = await ingest();
    if (status === 200) stored += body.ingested;
    else refused.push({ status, message: body.message });
  }
  for (const { status, message } of refused) {
    expect([422, 501]).toContain(status);
    expect(message).toContain("the disk is full");
  }
  const create = () =>
    call(emulator.url, "POST /v2/tokens", { body: { name: "ci", description: "x".repeat(500_000) } });
  const made = [];
  do made.push(await create());
  while (made.at(-1)?.status === 200);
  expect(made.at(-1)).toMatchObject({ status: 422, body: { message: "the disk is full" } });
  await emulator.freeSpace();
  expect((await create()).status).toBe(200);
  expect((await call(emulator.url, "GET /v2/tokens")).body).toHaveLength(made.length);
  const found = await count();
  expect(found).toBeGreaterThanOrEqual(stored); // a refused ingest may have stored its events
  expect(await ingest()).toMatchObject({ status: 200, body: { ingested: 3_000 } });
  expect(await count()).toBe(found + 3_000);
});

test("events in plain text that a killed query left on the disk are removed at the start", async () => {
  const dataDir = await newFolder();
  const spilled = path.join(dataDir, "datasets", "datasets.duckdb.tmp");
  await mkdir(spilled, { recursive: true });
  await writeFile(path.join(spilled, "duckdb_temp_block-1.block"), "an event");
  await using emulator = await start({ dataDir });
  await emulator.ingest("web", [{ a: 1 }]);
  expect(existsSync(spilled)).toBe(false);
});
