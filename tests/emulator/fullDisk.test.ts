import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { call, newFolder, start, startProcess } from "./harness";
import { countOf } from "./queryHarness";

/** A file system of its own, which only its process can see, with 14 of its 34 MB in use. Needs Linux, as all tests do. */
const mount = `mount -t tmpfs -o size=34m tmpfs "$0" && head -c 14m /dev/zero > "$0/ballast" && exec "$@"`;

test("after a full disk the next query, ingest and token work, and everything acknowledged is there", async () => {
  const mounted = await newFolder();
  await using emulator = await startProcess(path.join(mounted, "data"), ["unshare", "-rm", "sh", "-c", mount, mounted]);
  const events = () => Array.from({ length: 3_000 }, () => ({ a: randomUUID(), b: randomUUID() }));
  const ingest = () => call(emulator.url, "POST /v1/datasets/web/ingest", { body: events() });
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
  await rm(`/proc/${emulator.pid}/root${mounted}/ballast`);
  expect((await create()).status).toBe(200);
  expect((await call(emulator.url, "GET /v2/tokens")).body).toHaveLength(made.length);
  const found = await countOf(emulator, "web");
  expect(found).toBeGreaterThanOrEqual(stored); // a refused ingest may have stored its events
  expect(await ingest()).toMatchObject({ status: 200, body: { ingested: 3_000 } });
  expect(await countOf(emulator, "web")).toBe(found + 3_000);
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
