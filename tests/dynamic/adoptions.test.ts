import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os, { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, jest, test } from "@jest/globals";
import { shareAdoptions } from "../../provider/session/adoptions";
import { Connection } from "../../provider/session/connection";

const temporary = mkdtempSync(join(tmpdir(), "adoptions-"));

afterAll(() => rmSync(temporary, { recursive: true }));
afterEach(() => {
  jest.restoreAllMocks();
});

const newUpdate = () => `127.0.0.1:${randomUUID()}`;

test("an adoption is seen by every process of its update, and by no other", () => {
  const update = newUpdate();
  shareAdoptions(update, temporary).note("t1", "a");
  expect(shareAdoptions(update, temporary).has("t1")).toBe(true);
  expect(shareAdoptions(update, temporary).has("../t1")).toBe(false);
  expect(shareAdoptions(`${update}0`, temporary).has("t1")).toBe(false);
  expect(shareAdoptions(undefined).has("t1")).toBe(false);
});

test("without other processes an adoption is known to its own", () => {
  const alone = shareAdoptions(undefined);
  alone.note("t1", "a");
  expect([alone.has("t1"), alone.has("t2")]).toEqual([true, false]);
});

test.each([undefined, newUpdate()])(
  "a note is taken back by who made it, and no other's with it (update %s)",
  (update) => {
    const [one, other] = [shareAdoptions(update, temporary), shareAdoptions(update, temporary)];
    one.note("t1", "a");
    one.note("t1", "b");
    one.forget("t1", "a");
    expect(one.has("t1")).toBe(true);
    one.forget("t1", "b");
    one.forget("t2", "b");
    expect([one.has("t1"), other.has("t1")]).toEqual([false, false]);
  },
);

test("a user without a name, as in a container, is no obstacle", () => {
  jest.spyOn(os, "userInfo").mockImplementation(() => {
    throw new Error("A system error occurred: uv_os_get_passwd returned ENOENT (no such file or directory)");
  });
  const tell = { warn: async () => undefined, inform: async () => undefined };
  expect(() => new Connection(tell, newUpdate())).not.toThrow();
  const update = newUpdate();
  shareAdoptions(update, temporary).note("t1", "a");
  expect(shareAdoptions(update, temporary).has("t1")).toBe(true);
});

test("where nothing can be noted the error says what to do, and nothing is taken for not adopted", () => {
  const file = join(temporary, "file");
  writeFileSync(file, "");
  const adoptions = shareAdoptions(newUpdate(), file);
  expect(() => adoptions.note("t1", "a")).toThrow(
    /^what this update adopts cannot be noted in .*file.event-datasets-[0-9a-f]+ \(ENOTDIR\), .*: set TMPDIR/,
  );
  expect(adoptions.has("t1")).toBe(true);
  expect(() => adoptions.forget("t1", "a")).not.toThrow();
});

test("a folder that others can write is not used", () => {
  const update = newUpdate();
  const place = mkdtempSync(join(temporary, "place-"));
  shareAdoptions(update, place).note("t1", "a");
  const [name] = readdirSync(place) as [string];
  const folder = join(place, name);
  chmodSync(folder, 0o777);
  expect(() => shareAdoptions(update, place).note("t2", "a")).toThrow(/\(it is not a folder of this user alone\)/);
  rmSync(folder, { recursive: true });
  mkdirSync(join(place, "theirs"), { mode: 0o700 });
  symlinkSync(join(place, "theirs"), folder);
  expect(() => shareAdoptions(update, place).note("t2", "a")).toThrow(/\(it is not a folder of this user alone\)/);
});
