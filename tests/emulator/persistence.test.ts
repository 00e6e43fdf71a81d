import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { startEmulator } from "../../emulator";
import { makeFolder } from "../support/suite";
import { call, countOf, mintedWith, rootToken, start, startProcess } from "./harness";

/** A folder with two tokens, and nobody who serves it. */
async function folderOfWrites(): Promise<string> {
  const dataDir = makeFolder();
  await using emulator = await start({ dataDir });
  for (const name of ["b", "ü"]) await call(emulator.url, "POST /v2/tokens", { body: { name } });
  return dataDir;
}

test("a restart keeps everything, and tokens still work", async () => {
  const dataDir = makeFolder();
  const first = await start({ dataDir, profile: "extended" });
  const token = await mintedWith(first.url, { apiTokens: ["read"] });
  const { id } = (await call(first.url, "POST /v2/tokens", { body: { name: "gone" } })).body;
  await call(first.url, `DELETE /v2/tokens/${id}`);
  const made = (await call(first.url, "POST /v2/annotations", { body: { datasets: ["a"], type: "b" } })).body;
  await call(first.url, `PUT /v2/annotations/${made.id}`, { body: { title: "changed" } });
  const before = [first.tokens.list(), first.annotations.list()];
  await first.close();

  for (let restart = 0; restart < 2; restart++) {
    await using again = await start({ dataDir, rootToken: "another-root-token" });
    expect([again.tokens.list(), again.annotations.list()]).toEqual(before);
    expect((await call(again.url, "GET /v2/tokens", { token })).body).toEqual(before[0]);
    expect((await call(again.url, "GET /v2/tokens", { token: rootToken })).status).toBe(401);
  }
});

test("a file that is damaged, or is another one, is an error that names it, and stays as it is", async () => {
  const dataDir = await folderOfWrites();
  const file = path.join(dataDir, "objects.sqlite");
  const sound = await readFile(file);
  const damaged = Buffer.from(sound);
  damaged.fill(0xff, damaged.length / 2);
  for (const content of [damaged, Buffer.from("something else, and longer than the header of a database".repeat(20))]) {
    await writeFile(file, content);
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(start({ dataDir })).rejects.toThrow(`${file}: damaged: `);
    expect(await readFile(file)).toEqual(content);
  }
  await writeFile(file, sound);
  await using emulator = await start({ dataDir });
  expect(emulator.tokens.list().map(({ name }) => name)).toEqual(["b", "ü"]);
});

test("only the owner can read the events, even if the folder existed and was readable for all", async () => {
  const dataDir = makeFolder();
  const datasets = path.join(dataDir, "datasets");
  for (const wasThere of [false, true]) {
    if (wasThere) {
      await chmod(datasets, 0o755);
      await chmod(path.join(datasets, "datasets.duckdb"), 0o644);
    } else await mkdir(datasets, { mode: 0o755 });
    await using emulator = await start({ dataDir });
    await emulator.ingest("web", [{ a: 1 }]);
    expect((await stat(datasets)).mode & 0o777).toBe(0o700);
    const entries = await readdir(datasets, { withFileTypes: true });
    expect(entries.map(({ name }) => name).sort()).toEqual(["datasets.duckdb", "datasets.duckdb.wal"]);
    for (const entry of entries) {
      const { mode } = await stat(path.join(datasets, entry.name));
      expect([entry.name, mode & 0o777]).toEqual([entry.name, entry.isFile() ? 0o600 : 0o700]);
    }
  }
});

test("links in a prepared folder are not followed, and a folder that others may change is refused", async () => {
  const [victim, dataDir] = [makeFolder(), makeFolder()];
  const file = path.join(victim, "precious");
  await writeFile(file, "precious");
  await chmod(victim, 0o755);
  for (const [name, target] of [
    ["datasets", victim],
    ["objects.sqlite", file],
    ["objects.sqlite-wal", file],
  ] as const) {
    const link = path.join(dataDir, name);
    await symlink(target, link);
    await expect(start({ dataDir })).rejects.toThrow(`${link} is a symbolic link, which the emulator does not follow`);
    await rm(link);
  }
  await symlink(file, path.join(dataDir, "owner.pid"));
  await using emulator = await start({ dataDir });
  expect(await readFile(path.join(dataDir, "owner.pid"), "utf8")).toBe(String(process.pid));
  await mkdir(path.join(dataDir, "datasets"));
  await symlink(file, path.join(dataDir, "datasets", "datasets.duckdb"));
  await expect(emulator.ingest("web", [{ a: 1 }])).rejects.toThrow("is a symbolic link");
  expect(await readFile(file, "utf8")).toBe("precious");
  expect([(await stat(victim)).mode & 0o777, await readdir(victim)]).toEqual([0o755, ["precious"]]);
  for (const mode of [0o777, 0o770]) {
    const open = makeFolder();
    await chmod(open, mode);
    await expect(start({ dataDir: open })).rejects.toThrow(`${open} can be written by others: chmod go-w ${open}`);
  }
});

test("a second emulator on the same folder is refused until the first one is closed", async () => {
  await using first = await start();
  const { dataDir } = first;
  const message = `is in use by another event-datasets server (process ${process.pid})`;
  await expect(startEmulator({ dataDir })).rejects.toThrow(message);
  await expect(startEmulator({ dataDir: `${dataDir}/.` })).rejects.toThrow(message);
  await first.close();
  await using _second = await start({ dataDir });
});

test("kills at any moment lose no acknowledged write, and release the folder", async () => {
  const dataDir = makeFolder();
  const acknowledged: string[] = [];
  for (let kill = 0; kill < 12; kill++) {
    const other = await startProcess(dataDir);
    const writes = Array.from({ length: 8 }, (_, n) =>
      call(other.url, "POST /v2/tokens", { body: { name: `${kill}-${n}` } }).then(
        ({ body }) => acknowledged.push(body.name),
        () => undefined,
      ),
    );
    await Promise.race(writes.slice(kill % 8));
    expect(await other.kill()).toBe("");
    await Promise.all(writes);
  }
  await using emulator = await start({ dataDir });
  const kept = emulator.tokens.list().map(({ name }) => name);
  expect(kept).toEqual(expect.arrayContaining(acknowledged));
  expect(new Set(kept).size).toBe(kept.length);
});

test("a start that fails releases the folder and keeps its data", async () => {
  await using first = await start();
  const dataDir = await folderOfWrites();
  const failures = [
    [{ port: Number(new URL(first.url).port) }, "EADDRINUSE"],
    [{ datasets: [{ name: "web", file: path.join(dataDir, "no-such.csv") }] }, "no-such.csv"],
  ] as const;
  for (const [options, message] of failures) await expect(start({ dataDir, ...options })).rejects.toThrow(message);
  await using again = await start({ dataDir });
  expect(again.tokens.list()).toHaveLength(2);
});

/** A file system of its own, which only its process can see, with 14 of its 34 MB in use. Needs Linux, as all tests do. */
const mount = `mount -t tmpfs -o size=34m tmpfs "$0" && head -c 14m /dev/zero > "$0/ballast" && exec "$@"`;

test("after a full disk the next query, ingest and token work, and everything acknowledged is there", async () => {
  const mounted = makeFolder();
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
    expect(status).toBe(422);
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

test("events in plain text that a killed query left on disk are removed at the start", async () => {
  const dataDir = makeFolder();
  const spilled = path.join(dataDir, "datasets", "datasets.duckdb.tmp");
  await mkdir(spilled, { recursive: true });
  await writeFile(path.join(spilled, "duckdb_temp_block-1.block"), "an event");
  await using emulator = await start({ dataDir });
  await emulator.ingest("web", [{ a: 1 }]);
  expect(existsSync(spilled)).toBe(false);
});
