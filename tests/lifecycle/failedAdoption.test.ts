import { describe, expect, test } from "@jest/globals";
import { begin, createFirst, expiresAt, key, type Recorded, replaceToken, type World } from "../support/tokenWorld";

describe("the deletion of a token that another resource is to adopt", () => {
  const changed = { key, expiresAt, description: "new" };
  const adoption = ({ id, state }: Recorded) => ({ key: "heir", name: state.name, expiresAt, adopt: { id } });

  /** An update that replaced a token and has not deleted it yet. */
  async function replace(world: World) {
    const old = await createFirst(world, {});
    return { old, ...(await replaceToken(world, old, {})) };
  }

  /** A later update of the same program but for the adoption. */
  async function resume({ start }: World, successor: Recorded) {
    const later = start();
    await later.diff(successor.id, successor.state, await later.check(changed, successor.inputs));
    return later;
  }

  test("fails if the adoption failed; a later update adopts the token, or revokes it", async () => {
    await using world = await begin();
    const { old, update, successor } = await replace(world);
    const heir = await update.check({ ...adoption(old), description: "not as the live token" });
    await expect(update.create(heir)).rejects.toThrow("is not adopted: it differs");
    await expect(update.delete(old.id, old.state)).rejects.toThrow(
      `API token "${old.state.name}" (id ${old.id}) is not deleted: another resource is to adopt it by its id, and has not done so.`,
    );
    expect(world.ids()).toEqual([old.id, successor.id]);

    const adopting = await resume(world, successor);
    await adopting.create(await adopting.check(adoption(old)));
    await adopting.delete(old.id, old.state);
    expect(world.ids()).toEqual([old.id, successor.id]);

    const revoking = await resume(world, successor);
    await revoking.delete(old.id, old.state);
    expect(world.ids()).toEqual([successor.id]);
  });

  test("waits for an adoption that has not begun, and then leaves the token alone", async () => {
    await using world = await begin();
    const { old, update, successor } = await replace(world);
    const heir = await update.check(adoption(old));
    await Promise.all([update.delete(old.id, old.state), update.create(heir)]);
    expect(update.told.at(-1)).toContain("is managed by another resource of this update: it is left alone");
    expect(world.ids()).toEqual([old.id, successor.id]);
  });
});
