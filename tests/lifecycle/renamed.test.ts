import { describe, expect, test } from "@jest/globals";
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

describe("a resource that was renamed with an alias", () => {
  /** The token after the update that renamed its resource, as the engine runs it. */
  async function rename(world: World, { id, inputs, state }: Recorded, news: object): Promise<Recorded> {
    const update = world.start();
    const renamed = await update.check({ expiresAt, ...news, key: "renamed" }, inputs);
    const { changes, replaces } = await update.diff(id, state, renamed);
    expect(replaces).toEqual([]);
    return { id, inputs: renamed, state: changes ? await update.update(id, state, renamed) : state };
  }

  /** A later update, in which another resource has the former key. */
  async function reuseKey(world: World, profile: "documented" | "extended") {
    const other = await createFirst(world, {});
    const later = world.start(world.service.rootToken, profile);
    await later.diff(other.id, other.state, await later.check({ key, expiresAt }, other.inputs));
    return { other, later };
  }

  test("is recorded under its new key without a request, once", async () => {
    await using world = await begin();
    const renamed = await rename(world, await createFirst(world, {}), {});
    expect(renamed.state.key).toBe("renamed");
    expect(world.service.calls.map(({ method }) => method)).toEqual(["POST"]);
    const next = world.start();
    const inputs = await next.check({ key: "renamed", expiresAt }, renamed.inputs);
    expect(await next.diff(renamed.id, renamed.state, inputs)).toMatchObject({ changes: false });
  });

  test("leaves its token to its expiry as it said itself, whatever a new resource of its former name says", async () => {
    await using world = await begin();
    const renamed = await rename(world, await createFirst(world, { retire: "expire" }), { retire: "expire" });
    const { other, later } = await reuseKey(world, "extended");
    await later.delete(renamed.id, renamed.state);
    expect(world.ids()).toEqual([renamed.id, other.id]);
    expect(later.told).toEqual([expect.stringContaining('retire is "expire"')]);
  });

  test("does not forget a token that it said to revoke and that cannot be, whatever that resource says", async () => {
    await using world = await begin();
    const renamed = await rename(world, await createFirst(world, { retire: "revoke" }), { retire: "revoke" });
    const { later } = await reuseKey(world, "documented");
    await expect(later.delete(renamed.id, renamed.state)).rejects.toThrow('retire is "revoke"');
  });

  test.each([["in the update before"], ["in that update"]])(
    "%s still finishes a rotation of an adopted token in a later update",
    async (when) => {
      await using world = await begin();
      const adopted = await adoptFirst(world);
      const old = when === "in that update" ? adopted : await rename(world, adopted, {});
      const { successor } = await replaceToken(world, old, { key: "renamed" });
      const later = world.start();
      await later.diff(
        successor.id,
        successor.state,
        await later.check({ key: "renamed", expiresAt, description: "new" }, successor.inputs),
      );
      await later.delete(old.id, old.state);
      expect(world.ids()).toEqual([successor.id]);
    },
  );

  test("after a rotation that was interrupted still finishes it", async () => {
    await using world = await begin();
    const old = await adoptFirst(world);
    const { successor } = await replaceToken(world, old, {});
    const renamed = await rename(world, successor, { description: "new" });
    const later = world.start();
    const inputs = await later.check({ key: "renamed", expiresAt, description: "new" }, renamed.inputs);
    await later.diff(renamed.id, renamed.state, inputs);
    await later.delete(old.id, old.state);
    expect(world.ids()).toEqual([successor.id]);
  });

  test("with deleteBeforeReplace revokes an adopted token once its successor exists", async () => {
    await using world = await begin();
    const old = await adoptFirst(world);
    const update = world.start();
    const inputs = await update.check({ key: "renamed", expiresAt, description: "new" }, old.inputs);
    await update.diff(old.id, old.state, inputs);
    await update.delete(old.id, old.state);
    expect(world.ids()).toEqual([old.id]);
    const { id } = await update.create(inputs);
    expect(world.ids()).toEqual([id]);
  });

  test.each([
    [
      "revoke",
      { overlap: "7d", triggers: { round: 1 } },
      /The old token stays valid until about .* \(rotation\.overlap\)/,
    ],
    [undefined, { triggers: { round: 1 } }, /The old token is then revoked/],
  ])("retires an adopted token as the preview says: retire %s, rotation %j", async (retire, rotation, said) => {
    const outcomes = [];
    for (const present of [key, "renamed"]) {
      await using world = await begin();
      const old = await adoptFirst(world, { retire });
      const { update } = await replaceToken(world, old, { key: present, retire, rotation });
      await update.delete(old.id, old.state);
      outcomes.push({ told: update.told[0], isLive: world.ids().includes(old.id) });
    }
    const isLive = "overlap" in rotation;
    expect(outcomes).toEqual(Array(2).fill({ told: expect.stringMatching(said), isLive }));
  });
});
