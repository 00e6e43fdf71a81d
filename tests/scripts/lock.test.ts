import { EventEmitter, once } from "node:events";
import { mkdir, readdir, rm, utimes } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "@jest/globals";
import { withLock } from "../../scripts/steps/lock.mjs";
import { makeFolder } from "../support/suite";

let lock: string;
const said = new EventEmitter<{ line: [string] }>();
const log = (line: string) => void said.emit("line", line);

beforeEach(() => {
  lock = path.join(makeFolder(), "deep", "lock");
});

const old = new Date(0);

test.each([false, true])(
  "work under one lock never overlaps, and nothing of it stays; a killed process left it: %s",
  async (isLeft) => {
    if (isLeft) await mkdir(lock, { recursive: true });
    if (isLeft) await utimes(lock, old, old);
    const waiting = once(said, "line");
    let inside = 0;
    const work = async () => {
      expect(++inside).toBe(1);
      expect((await waiting)[0]).toContain("waiting for another run to finish");
      inside--;
    };
    await Promise.all(Array.from({ length: 8 }, () => withLock(lock, log, work)));
    expect(await readdir(path.dirname(lock))).toEqual([]);
  },
);

test("the lock goes when the work fails, and the failure stays", async () => {
  await expect(withLock(lock, log, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await withLock(lock, log, async () => "free")).toBe("free");
});

test("a lock that somebody touches is not taken over", async () => {
  await mkdir(lock, { recursive: true });
  const waits = once(said, "line");
  const waiting = withLock(lock, log, async () => "taken over");
  await waits;
  expect(await readdir(path.dirname(lock))).toEqual(["lock"]);
  await utimes(lock, old, old);
  expect(await waiting).toBe("taken over");
});

test("a process that lost its lock does not remove the lock of another one", async () => {
  await withLock(lock, log, async () => {
    await rm(lock, { recursive: true });
    await mkdir(lock);
  });
  expect(await readdir(path.dirname(lock))).toEqual(["lock"]);
});
