import { describe, expect, test } from "@jest/globals";
import { begin, createFirst, expiresAt, key, type Recorded, replaceToken, type World } from "../support/tokenWorld";

const changed = { key, expiresAt, description: "new" };

const adoption = ({ id, state }: Recorded, more: object = {}) => ({
  key: "heir",
  name: state.name,
  expiresAt,
  adopt: { id },
  ...more,
});

/** An update in which one resource replaces a token, and another adopts that token. */
async function replaceAndAdopt(world: World, retire: object, heirs: object) {
  const old = await createFirst(world, {});
  const update = world.start();
  const inputs = await update.check({ ...changed, ...retire }, old.inputs);
  await update.diff(old.id, old.state, inputs);
  const heirInputs = await update.check(adoption(old, heirs));
  const successor: Recorded = { inputs, ...(await update.create(inputs)) };
  const heir: Recorded = { inputs: heirInputs, ...(await update.create(heirInputs)) };
  await update.delete(old.id, old.state);
  expect(world.ids()).toEqual([old.id, successor.id]);
  return { old, successor, heir };
}

/** A later update that still declares the resource that replaced the token. */
async function resume({ start }: World, { id, state, inputs }: Recorded, retire: object = {}) {
  const later = start();
  await later.diff(id, state, await later.check({ ...changed, ...retire }, inputs));
  return later;
}

describe("a token that one resource replaced and another adopted is retired by the record of the one that has it", () => {
  test("it is left alone if the resource that adopted it leaves the program", async () => {
    await using world = await begin();
    const { successor, heir } = await replaceAndAdopt(world, {}, {});
    const later = await resume(world, successor);
    await later.delete(heir.id, heir.state);
    expect(world.ids()).toEqual([heir.id, successor.id]);
  });

  test("it is left alone by a destroy", async () => {
    await using world = await begin();
    const { successor, heir } = await replaceAndAdopt(world, {}, {});
    const later = world.start();
    await Promise.all([later.delete(heir.id, heir.state), later.delete(successor.id, successor.state)]);
    expect(world.ids()).toEqual([heir.id]);
  });

  test("it is left to its expiry if the resource that adopted it says so and rotates", async () => {
    await using world = await begin();
    const retire = "expire";
    const { old, successor, heir } = await replaceAndAdopt(world, {}, { retire });
    const later = await resume(world, successor);
    const rotated = { key: "heir", name: old.state.name, expiresAt, description: "rotated", retire };
    const inputs = await later.check(rotated, heir.inputs);
    await later.diff(heir.id, heir.state, inputs);
    const { id } = await later.create(inputs);
    await later.delete(heir.id, heir.state);
    expect(world.ids()).toEqual([old.id, successor.id, id]);
  });

  test("it is revoked if the resource that adopted it says so, whatever the other one says", async () => {
    await using world = await begin();
    const { successor, heir } = await replaceAndAdopt(world, { retire: "expire" }, { retire: "revoke" });
    const later = await resume(world, successor, { retire: "expire" });
    await later.delete(heir.id, heir.state);
    expect(world.ids()).toEqual([successor.id]);
  });
});

test("a token that leaves for another resource still says what becomes of the tokens that it replaced", async () => {
  await using world = await begin();
  const retire = "expire";
  const old = await createFirst(world, {});
  const { successor } = await replaceToken(world, old, { retire });
  const renaming = world.start();
  await renaming.create(await renaming.check(adoption(successor, { description: "new", retire })));
  await Promise.all([renaming.delete(successor.id, successor.state), renaming.delete(old.id, old.state)]);
  expect(world.ids()).toEqual([old.id, successor.id]);
});

describe("an adopted token whose own resource is deleted first, with --replace and deleteBeforeReplace, is adopted again", () => {
  test("by its id", async () => {
    await using world = await begin();
    const old = await createFirst(world, {});
    const first = world.start();
    const inputs = await first.check(adoption(old));
    const heir = { inputs, ...(await first.create(inputs)) };
    const update = world.start();
    await update.check(adoption(old), heir.inputs);
    const again = await update.check(adoption(old));
    await update.delete(heir.id, heir.state);
    const { id } = await update.create(again);
    expect([world.ids(), id]).toEqual([[old.id], old.id]);
  });

  test("by its name, even with retire: revoke", async () => {
    await using world = await begin();
    const { id } = await world.client.tokens.create({ name: "by-hand", expiresAt });
    const news = { name: "by-hand", adopt: { name: "by-hand" }, retire: "revoke" };
    const old = await createFirst(world, news);
    const update = world.start();
    const declared = { key, expiresAt, ...news };
    await update.check(declared, old.inputs);
    const again = await update.check(declared);
    await update.delete(old.id, old.state);
    const adopted = await update.create(again);
    expect([world.ids(), adopted.id]).toEqual([[id], id]);
  });
});

test("a token is not adopted by its name in the update that creates it", async () => {
  await using world = await begin();
  const update = world.start();
  const { id } = await update.create(await update.check({ key, name: "new", expiresAt }));
  const adopting = await update.check({ key: "heir", name: "new", expiresAt, adopt: { name: "new" } });
  await expect(update.create(adopting)).rejects.toThrow(
    `API token "new" (id ${id}) is not adopted: another resource of this update manages it`,
  );
});

test("an adopted token is not taken for the one of its name that its own resource adopted in its place", async () => {
  await using world = await begin();
  const news = { name: "by-hand", adopt: { name: "by-hand" }, retire: "revoke" };
  const { id } = await world.client.tokens.create({ name: "by-hand", expiresAt });
  const old = await createFirst(world, news);
  await world.client.tokens.delete(id);
  const other = await world.client.tokens.create({ name: "by-hand", expiresAt });
  const update = world.start();
  const adopted = await update.create(await update.check({ key, expiresAt, ...news }));
  await update.delete(old.id, old.state);
  expect(adopted.id).toBe(other.id);
  expect(update.told.join("\n")).not.toContain("is adopted again");
});

test("an adopted token of another account is not taken for one that its own resource will adopt again", async () => {
  await using world = await begin();
  await using elsewhere = await begin();
  const news = { name: "by-hand", adopt: { name: "by-hand" }, retire: "revoke" };
  await world.client.tokens.create({ name: "by-hand", expiresAt });
  await elsewhere.client.tokens.create({ name: "by-hand", expiresAt });
  const old = await createFirst(world, news);
  const update = elsewhere.start();
  await update.check({ key, expiresAt, ...news });
  await expect(update.delete(old.id, old.state)).rejects.toThrow(`but it was recorded on ${world.service.url}`);
});

describe("a token in its overlap, whose deletion comes before that of its successor", () => {
  const overlapping = (round: number) => ({ rotation: { overlap: "2d", triggers: { round } } });

  test.each([
    ["destroy", expiresAt],
    ["--replace", expiresAt],
    ["destroy", undefined],
    ["--replace", undefined],
  ])("stays valid after a refresh has recorded its new expiry: %s, expiry %s", async (command, end) => {
    await using world = await begin();
    const old = await createFirst(world, { expiresAt: end, ...overlapping(1) });
    const news = { ...changed, expiresAt: end, ...overlapping(2) };
    const { successor } = await replaceToken(world, old, news);
    const refresh = world.start();
    const once = await refresh.read(old.id, old.state);
    const twice = await refresh.read(old.id, once?.state as object);
    const later = world.start();
    if (command === "--replace") await later.create(await later.check(news));
    await later.delete(old.id, twice?.state as object);
    await later.delete(successor.id, successor.state);
    expect(world.ids()[0]).toBe(old.id);
  });

  test("is not shown with its end if the overlap of the program is secret", async () => {
    await using world = await begin();
    const secret = { rotation: { overlap: "2d" }, secretInputs: ["rotation"] };
    const old = await createFirst(world, {});
    await replaceToken(world, old, secret);
    const end = String((await world.client.tokens.get(old.id)).expiresAt);
    const later = world.start();
    await later.create(await later.check({ ...changed, ...secret }));
    await later.delete(old.id, old.state);
    const told = later.told.join("\n");
    expect(told).toContain("stays valid until");
    expect(told).not.toContain(end.slice(0, 10));
  });
});

test.each(["before", "after"])(
  "a token that another resource adopts %s its successor is created keeps its expiry, whatever overlap is declared",
  async (when) => {
    await using world = await begin();
    const old = await createFirst(world, {});
    const update = world.start();
    const rotation = { overlap: "2d", triggers: { round: 1 } };
    const inputs = await update.check({ ...changed, rotation }, old.inputs);
    await update.diff(old.id, old.state, inputs);
    const heir = await update.check(adoption(old));
    for (const one of when === "before" ? [heir, inputs] : [inputs, heir]) await update.create(one);
    await update.delete(old.id, old.state);
    expect(world.service.tokens.list().map((token) => token.expiresAt)).toEqual([expiresAt, expiresAt]);
  },
);
