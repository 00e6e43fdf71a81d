import { expect, test } from "@jest/globals";
import { adoptFirst, begin, createFirst, expiresAt, interrupt, key, planNext, ways } from "./tokenWorld";

// Rows 6 and 10 of the table in docs/guides/rotate.md: tokens that are adopted. The others: oldToken.test.ts.

test.each(["documented", "extended"] as const)("row 6: a borrowed token is left alone, %s", async (profile) => {
  await using world = await begin(profile);
  const old = await adoptFirst(world);
  const { told } = await ways.removed(world, old, {});
  expect(world.ids()).toContain(old.id);
  expect(told).toContain("(it is only borrowed while adopt is declared)");
});

test("row 6: an earlier owner of a borrowed token, which was retained, has no say about it", async () => {
  await using world = await begin();
  const old = await createFirst(world, {});
  const successor = await interrupt(world, old, {});
  const borrowing = world.start();
  const adopting = { key: "other", name: old.state.name, expiresAt, adopt: { id: old.id } };
  const borrowed = await borrowing.create(await borrowing.check(adopting));
  const { update } = await planNext(world, successor, { description: "new" });
  await update.delete(old.id, borrowed.state);
  expect(world.ids()).toContain(old.id);
});

test("row 6: a borrowed token that was edited by hand is a warning, and is not replaced", async () => {
  await using world = await begin();
  const old = await adoptFirst(world);
  await world.service.tokens.change(old.id, { description: "edited" });
  const read = await world.start().read(old.id, old.state);
  const drifted = { ...old, state: read?.state as never };
  const { update, replaces } = await planNext(world, drifted, { name: "by-hand", adopt: { id: old.id } });
  expect(replaces).toEqual([]);
  expect(update.told.join("\n")).toMatch(/only borrowed, so it is not changed, .*description.*Declare what is live/);
});

test("row 6: a token that was adopted again with --replace, in an update that died, is kept by the update that releases it", async () => {
  await using world = await begin();
  const old = await adoptFirst(world);
  const dying = world.start();
  const again = await dying.check({ key, expiresAt, name: "by-hand", adopt: { id: old.id } });
  const { state } = await dying.create(again);
  const { update, inputs, replaces } = await planNext(world, { ...old, state }, { name: "by-hand" });
  expect(replaces).toEqual([]);
  await update.update(old.id, state, inputs);
  await update.delete(old.id, old.state);
  expect(world.ids()).toContain(old.id);
});

test("row 6: it is kept, too, by an update without changes, if the one that released it died before its end", async () => {
  await using world = await begin();
  const old = await adoptFirst(world);
  const dying = world.start();
  const { state } = await dying.create(await dying.check({ key, expiresAt, name: "by-hand", adopt: { id: old.id } }));
  const releasing = await planNext(world, { ...old, state }, { name: "by-hand" });
  const released = await releasing.update.update(old.id, state, releasing.inputs);
  const last = await planNext(world, { ...old, state: released, inputs: releasing.inputs }, { name: "by-hand" });
  expect(last.changes).toBe(false);
  await last.update.delete(old.id, old.state);
  expect(world.ids()).toContain(old.id);
});

test("row 6: a resource that adopts its own token, with --replace, keeps it", async () => {
  await using world = await begin();
  const old = await createFirst(world, { name: "chosen" });
  await ways["by --replace"](world, old, { name: "chosen", adopt: { id: old.id } });
  expect(world.ids()).toEqual([old.id]);
});

test("row 10: a token that another resource adopts is left to it; refused if its own resource keeps it, whichever is first", async () => {
  await using world = await begin();
  const old = await createFirst(world, {});
  const adopting = { key: "other", name: old.state.name, expiresAt, adopt: { id: old.id } };
  const update = world.start();
  await update.create(await update.check(adopting));
  await update.delete(old.id, old.state);
  expect(update.told.at(-1)).toContain("is left alone: a resource of this update has it");
  expect(world.ids()).toEqual([old.id]);

  const [adoptedFirst, keptFirst] = [world.start(), world.start()];
  await adoptedFirst.check(adopting);
  const inputs = await adoptedFirst.check({ key, expiresAt }, old.inputs);
  await expect(adoptedFirst.diff(old.id, old.state, inputs)).rejects.toThrow("another resource of this update");
  await keptFirst.check({ key, expiresAt }, old.inputs);
  await keptFirst.diff(old.id, old.state, inputs);
  await expect(keptFirst.check(adopting)).rejects.toThrow("another resource of this update");
});
