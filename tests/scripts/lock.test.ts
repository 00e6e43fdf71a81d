import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { withLock } from "../../scripts/steps/lock.mjs";

let folder: string;
let file: string;
const said = new EventEmitter<{ line: [string] }>();
const log = (line: string) => void said.emit("line", line);

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "event-datasets-lock-"));
  file = path.join(folder, "deep", "lock");
});
afterEach(() => rm(folder, { recursive: true }));

async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "close");
  return child.pid ?? 0;
}

async function heldBy(holder: unknown): Promise<void> {
  await withLock(file, log, async () => undefined); // makes the folder
  await writeFile(file, typeof holder === "string" ? holder : JSON.stringify(holder));
}

test("work under one lock never overlaps, and nothing of the lock stays", async () => {
  const waiting = once(said, "line");
  let inside = 0;
  const work = async () => {
    expect(++inside).toBe(1);
    expect((await waiting)[0]).toContain("waiting for another run to finish");
    inside--;
  };
  await Promise.all(Array.from({ length: 5 }, () => withLock(file, log, work)));
  expect(await readdir(path.dirname(file))).toEqual([]);
});

test("the lock goes when the work fails, and the failure stays", async () => {
  await expect(withLock(file, log, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await withLock(file, log, async () => "free")).toBe("free");
});

test("a lock whose holder has ended is taken over, by one of those who wait", async () => {
  await heldBy({ pid: await endedPid(), host: os.hostname() });
  const waiting = once(said, "line");
  let inside = 0;
  const work = async () => {
    expect(++inside).toBe(1);
    await waiting;
    inside--;
  };
  await Promise.all(Array.from({ length: 8 }, () => withLock(file, log, work)));
});

test("a damaged lock is nobody's once it is silent", async () => {
  await heldBy("{");
  await utimes(file, new Date(0), new Date(0));
  expect(await withLock(file, log, async () => "taken over")).toBe("taken over");
});

test("a holder on another machine counts as ended when it is silent, not before", async () => {
  const theirs = { pid: 1, host: "another-machine" };
  await heldBy(theirs);
  const waits = once(said, "line");
  const waiting = withLock(file, log, async () => "taken over");
  await waits;
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual(theirs);
  await utimes(file, new Date(Date.now() - 120_000), new Date(Date.now() - 120_000));
  expect(await waiting).toBe("taken over");
});
