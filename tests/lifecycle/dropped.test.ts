import { describe, expect, test } from "@jest/globals";
import type { ApiTokenState } from "../../provider/apiToken/lifecycle";
import { stopTime } from "../support/time";
import { begin, createFirst, expiresAt, key, type Recorded, replaceToken, type World } from "../support/tokenWorld";

stopTime();

const twoDays = 2 * 86_400_000;
const overlap = { rotation: { overlap: "2d", triggers: { round: 2 } } };

/** A rotation that ended before the old token was deleted. */
async function rotate(world: World, old: Recorded, news: object): Promise<Recorded> {
  const { replaces, successor } = await replaceToken(world, old, news);
  expect(replaces).not.toEqual([]);
  return successor;
}

/** The deletions of a resource that left the program, which the engine begins together. */
async function drop({ start }: World, ...records: readonly Recorded[]) {
  const update = start();
  await Promise.all(records.map(({ id, state }) => update.delete(id, state)));
  return update.told;
}

/** A token as a refresh records it. */
async function refresh({ start }: World, { id, inputs, state }: Recorded): Promise<Recorded> {
  const found = await start().read(id, state);
  return { id, inputs, state: found?.state as unknown as ApiTokenState };
}

describe("a resource that left the program after an interrupted rotation", () => {
  test.each<[string, object, object, "old first" | "new first"]>([
    ["expire", {}, { retire: "expire" }, "old first"],
    ["expire", {}, { retire: "expire" }, "new first"],
    ["an overlap", {}, overlap, "old first"],
    ["an overlap", {}, overlap, "new first"],
  ])(
    "leaves the old token to its expiry, if the last program said %s (%j, then %j, %s)",
    async (_, then, now, order) => {
      await using world = await begin();
      const old = await createFirst(world, then);
      const successor = await rotate(world, old, now);
      await drop(world, ...(order === "old first" ? [old, successor] : [successor, old]));
      expect(world.deleted()).not.toContain(old.id);
    },
  );

  test.each(["old first", "new first"])("revokes it, if the last program said revoke (%s)", async (order) => {
    await using world = await begin();
    const old = await createFirst(world, { retire: "expire" });
    const successor = await rotate(world, old, { retire: "revoke" });
    await drop(world, ...(order === "old first" ? [old, successor] : [successor, old]));
    expect(world.ids()).toEqual([]);
  });

  test("leaves it its overlap, although a refresh recorded that", async () => {
    await using world = await begin();
    const old = await createFirst(world, { rotation: { overlap: "2d" } });
    const successor = await rotate(world, old, overlap);
    const told = await drop(world, await refresh(world, old), successor);
    expect(world.ids()).toEqual([old.id]);
    expect(told).toEqual([expect.stringMatching(/was replaced and stays valid until 2.*Z \(rotation\.overlap\)\.$/)]);
  });

  test("leaves it its overlap, although a refresh recorded that and nothing else is deleted yet", async () => {
    await using world = await begin();
    const counted = { expiresAt: undefined, rotation: { expireAfter: "90d", rotateBefore: "14d", overlap: "2d" } };
    const old = await createFirst(world, counted);
    const successor = await rotate(world, old, counted);
    const told = await drop(world, await refresh(world, old));
    expect(world.ids()).toEqual([old.id, successor.id]);
    expect(told).toEqual([
      expect.stringContaining(`may have been replaced, as other tokens of its name suggest (${successor.id}),`),
    ]);
  });
});

describe("a resource that left the program after a create whose response was lost", () => {
  /** The request reached the service, and the process ended. */
  async function loseRegeneration({ service, client }: World, { id, state }: Recorded): Promise<string> {
    const successor = await client.tokens.regenerate(id, {
      existingTokenExpiresAt: `${new Date(Date.now() + twoDays).toISOString().slice(0, 19)}Z`,
      newToken: { name: state.name.replace(/.{7}$/, "fedcba9") },
    });
    expect(service.tokens.list()).toHaveLength(2);
    return successor.id;
  }

  test("has its token revoked, if no other token can be the successor", async () => {
    await using world = await begin();
    const old = await createFirst(world, { rotation: { overlap: "2d" } });
    await world.client.tokens.delete(await loseRegeneration(world, old));
    expect(await drop(world, old)).toEqual([]);
    expect(world.ids()).toEqual([]);
  });

  test("keeps its token, and names the one that can be the successor", async () => {
    await using world = await begin();
    const old = await createFirst(world, { rotation: { overlap: "2d" } });
    const orphan = await loseRegeneration(world, old);
    expect(await drop(world, old)).toEqual([
      expect.stringContaining(`as other tokens of its name suggest (${orphan})`),
    ]);
    expect(world.ids()).toEqual([old.id, orphan]);
  });

  const overlapping = { rotation: { overlap: "2d" } };
  const counting = { expiresAt: undefined, rotation: { expireAfter: "90d", rotateBefore: "1d", overlap: "2d" } };

  test.each<[string, object, (live: string) => object]>([
    ["counted from the creation", overlapping, () => counting],
    ["declared", counting, (live) => ({ ...overlapping, expiresAt: live })],
  ])("keeps its token, although its expiry is %s since a refresh recorded the overlap", async (_, then, later) => {
    await using world = await begin();
    const old = await createFirst(world, then);
    const orphan = await loseRegeneration(world, old);
    const { state } = await refresh(world, old);
    const update = world.start();
    const inputs = await update.check({ key, expiresAt, ...later(String(state.expiresAt)) }, old.inputs);
    expect(await update.diff(old.id, state, inputs)).toMatchObject({ changes: true, replaces: [] });
    await drop(world, { id: old.id, inputs, state: await update.update(old.id, state, inputs) });
    expect(world.ids()).toEqual([old.id, orphan]);
  });
});

test('a token whose retire is "revoke" is revoked, although its moved expiry suggests an overlap', async () => {
  await using world = await begin();
  const counted = {
    retire: "revoke",
    expiresAt: undefined,
    rotation: { expireAfter: "90d", rotateBefore: "14d", overlap: "2d" },
  };
  const old = await createFirst(world, counted);
  const successor = await rotate(world, old, counted);
  expect(await drop(world, await refresh(world, old))).toEqual([]);
  expect(world.ids()).toEqual([successor.id]);
});

test.each(["old first", "new first"])(
  "tokens that must be revoked stay in the state, if the profile cannot revoke them any more (%s)",
  async (order) => {
    await using world = await begin();
    const old = await createFirst(world, { retire: "revoke" });
    const successor = await rotate(world, old, { retire: "revoke" });
    const update = world.start(undefined, "documented");
    for (const { id, state } of order === "old first" ? [old, successor] : [successor, old])
      await expect(update.delete(id, state)).rejects.toThrow('retire is "revoke"');
    expect(world.ids()).toEqual([old.id, successor.id]);
  },
);

test("an overlap that a later update ends is told with the expiry that it gave the old token", async () => {
  await using world = await begin();
  const old = await createFirst(world, {});
  const successor = await rotate(world, old, overlap);
  const later = world.start();
  const inputs = await later.check({ key, expiresAt, description: "new", ...overlap }, successor.inputs);
  await later.diff(successor.id, successor.state, inputs);
  await later.delete(old.id, old.state);
  const day = new Date(Date.now() + twoDays).toISOString().slice(0, 10);
  expect(later.told).toEqual([expect.stringContaining(`was replaced and stays valid until ${day}`)]);
});

test("a token that had to be revoked is left to its expiry, if the program says so together with the documented profile", async () => {
  await using world = await begin();
  const old = await createFirst(world, { retire: "revoke" });
  const update = world.start(undefined, "documented");
  const inputs = await update.check({ key, expiresAt, description: "new", retire: "expire" }, old.inputs);
  await update.diff(old.id, old.state, inputs);
  const { id } = await update.create(inputs);
  await update.delete(old.id, old.state);
  expect(world.ids()).toEqual([old.id, id]);
});
