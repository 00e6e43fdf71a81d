import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { startEmulator } from "../../emulator";
import { checksumOf, parseJournal } from "../../emulator/journal";
import { call, mintedWith, newFolder, rootToken, start } from "./harness";

const journalOf = (folder: string) => path.join(folder, "journal.jsonl");

/** A folder with the journal of a few writes, and nobody who serves it. */
async function folderOfWrites(): Promise<string> {
  const dataDir = await newFolder();
  await using emulator = await start({ dataDir, profile: "extended" });
  for (const name of ["a", "b", "ü"]) await call(emulator.url, "POST /v2/tokens", { body: { name } });
  const [a] = emulator.tokens.list();
  await call(emulator.url, `DELETE /v2/tokens/${a?.id}`);
  await call(emulator.url, "POST /v2/annotations", { body: { datasets: ["logs"], type: "deploy" } });
  return dataDir;
}

test("a restart keeps everything, and tokens still work", async () => {
  const dataDir = await newFolder();
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

test("a start drops overwritten and deleted objects from the journal", async () => {
  const dataDir = await folderOfWrites();
  const before = (await readFile(journalOf(dataDir), "utf8")).split("\n").length;
  await using emulator = await start({ dataDir });
  const after = (await readFile(journalOf(dataDir), "utf8")).split("\n").length;
  expect([before, after]).toEqual([7, 5]);
  expect(emulator.tokens.list().map((t) => t.name)).toEqual(["b", "ü"]);
});

test("a journal that is cut at any byte has every write before the cut and no part of the cut one", async () => {
  const bytes = await readFile(journalOf(await folderOfWrites()));
  const whole = parseJournal(bytes, "journal");
  expect(whole).toHaveLength(5);
  for (let length = 0; length <= bytes.length; length++) {
    const kept = bytes.subarray(0, length);
    const writes = kept.filter((byte) => byte === 0x0a).length - 1;
    if (writes < 0) expect(() => parseJournal(kept, "journal")).toThrow("journal:1: not a journal");
    else expect(parseJournal(kept, "journal")).toEqual(whole.slice(0, writes));
  }
});

test("an incomplete last line is dropped at the start, and the next write starts on a new line", async () => {
  const dataDir = await folderOfWrites();
  await appendFile(journalOf(dataDir), '[{"kind":"token","id":"torn","val');
  for (const names of [
    ["b", "ü"],
    ["b", "ü", "next"],
  ]) {
    await using emulator = await start({ dataDir });
    expect(emulator.tokens.list().map((t) => t.name)).toEqual(names);
    await call(emulator.url, "POST /v2/tokens", { body: { name: "next" } });
  }
});

test.each([
  ["a line that is not JSON", "[{"],
  ["an unknown kind of object", '[{"kind":"view","id":"v1","value":null}]'],
  ["a change without an id", '[{"kind":"token","value":null}]'],
  ["a token without the hash of its secret", '[{"kind":"token","id":"t","value":{"shown":{"id":"t"}}}]'],
  ["an object under another's id", '[{"kind":"annotation","id":"a","value":{"shown":{"id":"b"}}}]'],
  ["zero bytes", "\0\0\0"],
])("%s is an error that names the file and the line, and changes nothing", async (_, line) => {
  const dataDir = await folderOfWrites();
  const file = journalOf(dataDir);
  const lines = (await readFile(file, "utf8")).split("\n");
  const damaged = lines.with(2, `${checksumOf(line)} ${line}`).join("\n");
  await writeFile(file, damaged);
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(start({ dataDir })).rejects.toThrow(`${file}:3: damaged: not a list of changes`);
  expect(await readFile(file, "utf8")).toBe(damaged);
  expect(await readdir(dataDir)).toEqual(["journal.jsonl", "lock", "lock.pid"]);
});

test.each(['{"journal":"pulumi-event-datasets emulator","version":1}\n', "something without a line feed", ""])(
  "a file that is not a journal of this version, such as %j, is refused and not touched",
  async (content) => {
    const dataDir = await newFolder();
    await writeFile(journalOf(dataDir), content);
    await expect(start({ dataDir })).rejects.toThrow(`${journalOf(dataDir)}:1: not a journal of this version`);
    expect(await readFile(journalOf(dataDir), "utf8")).toBe(content);
    expect(await readdir(dataDir)).toEqual(["journal.jsonl", "lock", "lock.pid"]);
  },
);

test("a byte that is not UTF-8 is damage, not another name", async () => {
  const dataDir = await folderOfWrites();
  const bytes = await readFile(journalOf(dataDir));
  bytes[bytes.indexOf("ü")] = 0xff;
  await writeFile(journalOf(dataDir), bytes);
  await expect(start({ dataDir })).rejects.toThrow(/:\d+: damaged: the checksum does not match the line$/);
  expect(await readFile(journalOf(dataDir))).toEqual(bytes);
});

test("damage is found even if the line is still a valid list of changes", async () => {
  const dataDir = await folderOfWrites();
  const file = journalOf(dataDir);
  const damaged = (await readFile(file, "utf8")).replace('"name":"b"', '"name":"c"');
  await writeFile(file, damaged);
  await expect(start({ dataDir })).rejects.toThrow(`${file}:3: damaged: the checksum does not match the line`);
  expect(await readFile(file, "utf8")).toBe(damaged);
});

test("a line that is nested too deeply is an error that names the file and the line", async () => {
  const dataDir = await folderOfWrites();
  const file = journalOf(dataDir);
  const depth = 20_000;
  const shown = `{"id":"a","deep":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  const line = `[{"kind":"annotation","id":"a","value":{"shown":${shown}}}]`;
  await appendFile(file, `${checksumOf(line)} ${line}\n`);
  await expect(start({ dataDir })).rejects.toThrow(`${file}:7: damaged: nested too deeply`);
});

test("an incomplete new journal from a crash is not used", async () => {
  const dataDir = await folderOfWrites();
  await writeFile(`${journalOf(dataDir)}.new`, "half a jour");
  await using emulator = await start({ dataDir });
  expect(emulator.tokens.list()).toHaveLength(2);
});

test("only the owner can read the data", async () => {
  await using emulator = await start({ dataDir: path.join(await newFolder(), "deep", "data") });
  expect((await stat(emulator.dataDir)).mode & 0o777).toBe(0o700);
  for (const file of await readdir(emulator.dataDir))
    expect((await stat(path.join(emulator.dataDir, file))).mode & 0o777).toBe(0o600);
});

test("only the owner can read the events, even if the folder existed and was readable for all", async () => {
  const dataDir = await newFolder();
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
    expect(entries.map(({ name }) => name).sort()).toEqual(["datasets.duckdb", "datasets.duckdb.wal", "inbox"]);
    for (const entry of entries) {
      const { mode } = await stat(path.join(datasets, entry.name));
      expect([entry.name, mode & 0o777]).toEqual([entry.name, entry.isFile() ? 0o600 : 0o700]);
    }
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

test("a lock ends with its process, however that ends", async () => {
  const dataDir = await folderOfWrites();
  const script = `require(${JSON.stringify(path.resolve("emulator/dist/lock.js"))}).lockFolder(${JSON.stringify(dataDir)})
    .then(() => { setInterval(() => undefined, 1000); console.log("locked"); });`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "pipe"] });
  let warnings = "";
  child.stderr.on("data", (text) => {
    warnings += text;
  });
  await once(child.stdout, "data");
  await expect(start({ dataDir })).rejects.toThrow(`(process ${child.pid})`);
  child.kill("SIGKILL");
  await once(child, "close");
  expect(warnings).toBe("");
  await using emulator = await start({ dataDir });
  expect(emulator.tokens.list()).toHaveLength(2);
});

test("a folder that cannot be locked is refused, and the message names the folder", async () => {
  await expect(start({ dataDir: "/dev/fd" })).rejects.toThrow("/dev/fd cannot be locked");
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

test("a root token that is not valid in a header is refused", async () => {
  for (const token of ["", "two words", "ünicode", "line\nfeed"]) {
    await expect(start({ rootToken: token })).rejects.toThrow("the root token must be printable ASCII without spaces");
  }
});
