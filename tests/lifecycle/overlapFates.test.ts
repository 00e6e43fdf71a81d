import { describe, expect, test } from "@jest/globals";
import { begin, createFirst, expiresAt, key, type Recorded, replaceToken, type World } from "../support/tokenWorld";

const overlap = { rotation: { overlap: "2d", triggers: { round: 2 } } };

/** A rotation that ended before the old token was deleted. */
const rotate = async (world: World, old: Recorded, news: object): Promise<Recorded> =>
  (await replaceToken(world, old, news)).successor;

describe("after a rotation with an overlap that was interrupted", () => {
  /** The engine calls no diff, and deletes both old tokens in this order. */
  async function replaceAll({ start }: World, successor: Recorded, news: object, order: readonly Recorded[]) {
    const update = start();
    const inputs = await update.check({ key, expiresAt, description: "new", ...news }, undefined);
    const { id } = await update.create(inputs);
    for (const one of order) await update.delete(one.id, one.state);
    expect(successor.id).not.toBe(id);
    return id;
  }

  test.each(["old first", "new first"])("--replace leaves the older token its overlap (%s)", async (order) => {
    await using world = await begin();
    const old = await createFirst(world, {});
    const successor = await rotate(world, old, overlap);
    const records = order === "old first" ? [old, successor] : [successor, old];
    const id = await replaceAll(world, successor, overlap, records);
    expect(world.ids()).toEqual([old.id, id]);
  });

  test.each(["old first", "new first"])(
    'retire: "revoke" without an overlap ends it with --replace, too (%s)',
    async (order) => {
      await using world = await begin();
      const old = await createFirst(world, { rotation: { overlap: "2d" } });
      const successor = await rotate(world, old, overlap);
      const records = order === "old first" ? [old, successor] : [successor, old];
      const id = await replaceAll(world, successor, { retire: "revoke" }, records);
      expect(world.ids()).toEqual([id]);
    },
  );

  test.each([
    ["stays valid", "a later program removes it", {}],
    ["stays valid", "a later program leaves tokens to their expiry", { retire: "expire" }],
    ["stays valid", "a later program revokes tokens after another overlap", { ...overlap, retire: "revoke" }],
    ["is revoked", 'a later program says retire: "revoke" without one', { retire: "revoke" }],
  ])("the old token %s if %s", async (fate, _, news) => {
    await using world = await begin();
    const old = await createFirst(world, {});
    const successor = await rotate(world, old, overlap);
    const later = world.start();
    const inputs = await later.check({ key, expiresAt, description: "new", ...news }, successor.inputs);
    await later.diff(successor.id, successor.state, inputs);
    await later.delete(old.id, old.state);
    expect(world.ids()).toEqual(fate === "is revoked" ? [successor.id] : [old.id, successor.id]);
  });
});

test('a token that retire: "expire" left to its expiry is no token in an overlap: "revoke" counts, whatever is added', async () => {
  await using world = await begin();
  const old = await createFirst(world, {});
  const successor = await rotate(world, old, { retire: "expire" });
  const later = world.start();
  const news = { retire: "revoke", rotation: { overlap: "2d" } };
  const inputs = await later.check({ key, expiresAt, description: "new", ...news }, successor.inputs);
  await later.diff(successor.id, successor.state, inputs);
  await later.delete(old.id, old.state);
  expect(world.ids()).toEqual([successor.id]);
});
