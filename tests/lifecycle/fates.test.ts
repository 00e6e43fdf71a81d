import { describe, expect, test } from "@jest/globals";
import { isPartialCreate } from "../../framework/lifecycle";
import {
  adoptFirst,
  begin,
  createFirst,
  expiresAt,
  key,
  type Recorded,
  replaceToken,
  type World,
} from "../support/tokenWorld";

/** The process of an update that replaces a token and has not deleted it yet. */
async function rotate(world: World, old: Recorded, news: object) {
  const { replaces, ...rotation } = await replaceToken(world, old, news);
  expect(replaces).toEqual(["description"]);
  return rotation;
}

const end = "The old token stays valid until 2099-01-01T00:00:00Z.";
const revoked = "The old token is then revoked.";

describe("a change of retire together with a rotation counts for the old token", () => {
  test.each<[string, object, object, string, "revoke" | "expire"]>([
    ["expire is added", {}, { retire: "expire" }, end, "expire"],
    ["revoke becomes expire", { retire: "revoke" }, { retire: "expire" }, end, "expire"],
    ["expire becomes revoke", { retire: "expire" }, { retire: "revoke" }, revoked, "revoke"],
    ["expire is removed", { retire: "expire" }, {}, revoked, "revoke"],
  ])("%s", async (_, before, now, sentence, fate) => {
    await using world = await begin();
    const old = await createFirst(world, before);
    const { update, successor } = await rotate(world, old, now);
    expect(update.told).toEqual([expect.stringMatching(new RegExp(`description changed\\. ${sentence}$`))]);
    expect(successor.state.record.predecessors).toEqual([{ id: old.id, fate, origin: "created", expiresAt }]);
    await update.delete(old.id, old.state);
    expect(world.ids()).toEqual(fate === "revoke" ? [successor.id] : [old.id, successor.id]);
    expect(update.told.slice(1)).toEqual(
      fate === "revoke" ? [] : [expect.stringMatching(/stays valid until .*: retire is "expire"/)],
    );
  });
});

describe("a rotation that was interrupted before the old token was deleted", () => {
  /** Another process ends it: the successor is as it was declared, and the deletion is pending. */
  async function finish({ start }: World, old: Recorded, successor: Recorded, news: object = {}) {
    const later = start();
    const inputs = await later.check({ key, expiresAt, description: "new", ...news }, successor.inputs);
    expect((await later.diff(successor.id, successor.state, inputs)).replaces).toEqual([]);
    await later.delete(old.id, old.state);
    return later;
  }

  test("is finished by a later update, which revokes an adopted token, too", async () => {
    await using world = await begin();
    const old = await adoptFirst(world);
    const { successor } = await rotate(world, old, {});
    expect(successor.state.record.predecessors).toMatchObject([{ id: old.id, fate: "revoke", origin: "adopted" }]);
    const later = await finish(world, old, successor);
    expect(world.ids()).toEqual([successor.id]);
    expect(later.told).toEqual([]);
  });

  test.each([
    ["expire is declared by then", {}, { retire: "expire" }],
    ["expire was declared then", { retire: "expire" }, { retire: "expire" }],
  ])("leaves the old token to its expiry if %s", async (_, then, now) => {
    await using world = await begin();
    const old = await adoptFirst(world);
    const { successor } = await rotate(world, old, then);
    await finish(world, old, successor, now);
    expect(world.ids()).toEqual([old.id, successor.id]);
  });

  test("revokes the old token if expire was declared then, and revoke by now", async () => {
    await using world = await begin();
    const old = await createFirst(world, {});
    const { successor } = await rotate(world, old, { retire: "expire" });
    await finish(world, old, successor, { retire: "revoke" });
    expect(world.ids()).toEqual([successor.id]);
  });

  test("leaves an adopted token alone in a process that compares nothing", async () => {
    await using world = await begin();
    const old = await adoptFirst(world);
    const { successor } = await rotate(world, old, {});
    const destroy = world.start();
    await destroy.delete(old.id, old.state);
    expect(destroy.told).toEqual([expect.stringContaining('only retire: "revoke" has an adopted token revoked')]);
    expect(world.ids()).toEqual([old.id, successor.id]);
  });
});

describe("a replacement that the command line asks for, without a diff", () => {
  const news = { key, expiresAt, description: "text" };

  test.each<[string, (world: World) => Promise<Recorded>]>([
    ["created", (world) => createFirst(world, { description: "text" })],
    ["adopted", (world) => adoptFirst(world)],
  ])("revokes a token that was %s after its successor is created", async (_, make) => {
    await using world = await begin();
    const old = await make(world);
    const update = world.start();
    const inputs = await update.check(news, old.inputs);
    const successor = await update.create(inputs);
    expect(world.deleted()).toEqual([]);
    await update.delete(old.id, old.state);
    expect(world.ids()).toEqual([successor.id]);
    expect(update.told).toEqual([]);
  });

  test("leaves the old token to its expiry if retire says so by now", async () => {
    await using world = await begin();
    const old = await createFirst(world, {});
    const update = world.start();
    const successor = await update.create(await update.check({ ...news, retire: "expire" }, old.inputs));
    await update.delete(old.id, old.state);
    expect(world.ids()).toEqual([old.id, successor.id]);
  });

  test("leaves the tokens that the old one had replaced to their expiry, too, if retire says so by now", async () => {
    await using world = await begin();
    const first = await createFirst(world, {});
    const { successor: old } = await rotate(world, first, {});
    const update = world.start();
    const successor = await update.create(await update.check({ ...news, retire: "expire" }, old.inputs));
    await update.delete(old.id, old.state);
    await update.delete(first.id, first.state);
    expect(world.ids()).toEqual([first.id, old.id, successor.id]);
  });

  test("with deleteBeforeReplace revokes a created token before its successor exists", async () => {
    await using world = await begin();
    const old = await createFirst(world, {});
    const update = world.start();
    const inputs = await update.check(news, old.inputs);
    await update.delete(old.id, old.state);
    expect(world.ids()).toEqual([]);
    const { id, state } = await update.create(inputs);
    expect(world.ids()).toEqual([id]);
    expect(state.record.predecessors).toBeUndefined();
    expect(world.deleted()).toEqual([old.id]);
  });

  test("with deleteBeforeReplace revokes an adopted token once its successor exists", async () => {
    await using world = await begin();
    const old = await adoptFirst(world);
    const update = world.start();
    const inputs = await update.check(news, old.inputs);
    await update.delete(old.id, old.state);
    expect(world.ids()).toEqual([old.id]);
    const { id } = await update.create(inputs);
    expect(world.ids()).toEqual([id]);
    expect(update.told).toEqual([
      expect.stringContaining("is no longer managed here"),
      expect.stringMatching(/was replaced and is revoked now\.$/),
    ]);
  });

  test("with deleteBeforeReplace keeps an adopted token valid if its successor's secret cannot be sealed", async () => {
    await using world = await begin();
    const old = await adoptFirst(world);
    const update = world.start();
    const inputs = await update.check(news, old.inputs);
    await update.delete(old.id, old.state);
    const sealFor = { key: Buffer.alloc(32).toString("base64"), keyId: "7" };
    const failure = await update.create({ ...inputs, sealFor }).catch((e: unknown) => e);
    if (!isPartialCreate(failure)) throw failure;
    expect(world.ids()).toEqual([old.id, failure.id]);
    const predecessors = [{ id: old.id, fate: "revoke", origin: "adopted", expiresAt }];
    expect(failure.state).toMatchObject({ record: { origin: "lost", predecessors } });
  });

  test("with deleteBeforeReplace leaves an adopted token alone that another resource adopts in the meantime", async () => {
    await using world = await begin();
    const old = await adoptFirst(world);
    const update = world.start();
    const inputs = await update.check(news, old.inputs);
    await update.delete(old.id, old.state);
    await update.create(await update.check({ key: "other", name: "by-hand", expiresAt, adopt: { id: old.id } }));
    const { id } = await update.create(inputs);
    expect(world.ids()).toEqual([old.id, id]);
    expect(update.told.at(-1)).toMatch(/is managed by another resource of this update: it is left alone\.$/);
  });

  test("with deleteBeforeReplace leaves an adopted token alone without a successor", async () => {
    await using world = await begin();
    const old = await adoptFirst(world);
    const update = world.start();
    await update.delete(old.id, old.state);
    const { id } = await update.create(await update.check({ ...news, key: "other" }));
    expect(world.ids()).toEqual([old.id, id]);
    expect(world.deleted()).toEqual([]);
  });
});

describe("a change in place that the program has replaced", () => {
  /** Compares in an update in which only `retire` changes: the service has nothing to change. */
  async function compare({ start }: World, old: Recorded, now: object) {
    const update = start();
    const inputs = await update.check({ key, expiresAt, ...now }, old.inputs);
    const difference = await update.diff(old.id, old.state, inputs);
    expect(difference).toMatchObject({ changes: true, replaces: [] });
    return { update, inputs };
  }

  test.each<[object, object, "revoke" | "expire"]>([
    [{}, { retire: "expire" }, "expire"],
    [{ retire: "expire" }, { retire: "revoke" }, "revoke"],
  ])("(%j, then %j) treats the old token as declared now: %s", async (before, now, fate) => {
    await using world = await begin();
    const old = await createFirst(world, before);
    const { update, inputs } = await compare(world, old, now);
    const { id, state } = await update.create(inputs);
    const record = { id: old.id, fate, origin: "created", expiresAt };
    expect(state.record.predecessors).toEqual([record]);
    await update.delete(old.id, old.state);
    expect(world.ids()).toEqual(fate === "revoke" ? [id] : [old.id, id]);
  });
});

test("with deleteBeforeReplace and a diff, too, an adopted token waits for its successor", async () => {
  await using world = await begin();
  const old = await adoptFirst(world);
  const update = world.start();
  const inputs = await update.check({ key, expiresAt, description: "new" }, old.inputs);
  await update.diff(old.id, old.state, inputs);
  await update.delete(old.id, old.state);
  expect(world.ids()).toEqual([old.id]);
  const { id } = await update.create(inputs);
  expect(world.ids()).toEqual([id]);
  expect(update.told).toEqual([
    expect.stringContaining(revoked),
    expect.stringContaining("is no longer managed here"),
    expect.stringMatching(/was replaced and is revoked now\.$/),
  ]);
});
