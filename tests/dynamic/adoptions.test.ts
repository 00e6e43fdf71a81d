import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { shareAdoptions } from "../../provider/session/adoptions";

test("an adoption is seen by every process of its update, and by no other", async () => {
  const update = `127.0.0.1:${randomUUID()}`;
  await shareAdoptions(update).note("t1");
  expect(await shareAdoptions(update).has("t1")).toBe(true);
  expect(await shareAdoptions(update).has("../t1")).toBe(false);
  expect(await shareAdoptions(`${update}0`).has("t1")).toBe(false);
  expect(await shareAdoptions(undefined).has("t1")).toBe(false);
});

test("without other processes an adoption is known to its own", async () => {
  const alone = shareAdoptions(undefined);
  await alone.note("t1");
  expect([await alone.has("t1"), await alone.has("t2")]).toEqual([true, false]);
});
