import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { shareAdoptions } from "../../provider/session/adoptions";

test("an adoption is seen by every process of its update, and by no other", () => {
  const update = `127.0.0.1:${randomUUID()}`;
  shareAdoptions(update).note("t1");
  expect(shareAdoptions(update).has("t1")).toBe(true);
  expect(shareAdoptions(update).has("../t1")).toBe(false);
  expect(shareAdoptions(`${update}0`).has("t1")).toBe(false);
  expect(shareAdoptions(undefined).has("t1")).toBe(false);
});

test("without other processes an adoption is known to its own", () => {
  const alone = shareAdoptions(undefined);
  alone.note("t1");
  expect([alone.has("t1"), alone.has("t2")]).toEqual([true, false]);
});
