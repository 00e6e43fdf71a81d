import { expect, test } from "@jest/globals";
import { begin, expiresAt, token, type World } from "../support/story";

// Rows 6 and 10 of the table in docs/guides/rotate.md: tokens that are adopted. The others: oldToken.test.ts.

const named = { name: "by-hand" };

/** A token that existed, adopted. */
async function adopt(world: World) {
  const { id } = await world.client.tokens.create({ ...named, expiresAt });
  const adopting = { ci: token({ ...named, adopt: { id } }) };
  await world.up(adopting);
  return { id, adopting };
}

test.each(["documented", "extended"] as const)("row 6: a borrowed token is left alone, %s", async (profile) => {
  await using world = await begin(profile);
  const { id } = await adopt(world);
  const sent = world.service.calls.length;
  const { words } = await world.up({});
  expect(world.ids()).toContain(id);
  expect(words).toContain("(it is only borrowed while adopt is declared)");
  // Nobody is asked about it.
  expect(world.service.calls).toHaveLength(sent);
});

test("row 6: an earlier owner of a borrowed token, which it was to revoke, has no say about it", async () => {
  await using world = await begin();
  const old = await world.declare(named);
  const ci = token({ ...named, description: "new" });
  await world.interrupt({ ci });
  await world.up({ ci, other: token({ ...named, adopt: { id: old } }) });
  expect(world.state().record.replaced).toMatchObject([{ id: old }]);
  await world.up({ ci });
  expect(world.ids()).toContain(old);
});

test("row 6: a borrowed token that was edited by hand is a warning, and is not replaced", async () => {
  await using world = await begin();
  const { id } = await adopt(world);
  await world.service.tokens.change(id, { description: "edited" });
  await world.refresh();
  const { found, words } = await world.up();
  expect(found.ci?.replaces).toEqual([]);
  expect(words).toMatch(/only borrowed, so it is not changed, .*description.*Declare it as it is/);
});

test("row 6: a token that was adopted again with --replace, in an update that died, is kept by the update that releases it", async () => {
  await using world = await begin();
  const { id, adopting } = await adopt(world);
  await world.interrupt(adopting, { replace: ["ci"] });
  const { found } = await world.up({ ci: token(named) });
  expect(found.ci?.replaces).toEqual([]);
  expect(world.ids()).toContain(id);
});

test("row 6: it is kept, too, by an update without changes, if the one that released it died before its end", async () => {
  await using world = await begin();
  const { id, adopting } = await adopt(world);
  await world.interrupt(adopting, { replace: ["ci"] });
  await world.interrupt({ ci: token(named) });
  expect((await world.up()).found.ci?.changes).toBe(false);
  expect(world.ids()).toContain(id);
});

test("row 6: a resource that adopts its own token, with --replace, keeps it", async () => {
  await using world = await begin();
  const old = await world.declare(named);
  await world.up({ ci: token({ ...named, adopt: { id: old } }) }, { replace: ["ci"] });
  expect(world.ids()).toEqual([old]);
});

test("row 10: a token that another resource adopts is left to it; refused if its own resource keeps it, whichever is first", async () => {
  await using world = await begin();
  const old = await world.declare(named);
  const [ci, other] = [token(named), token({ ...named, adopt: { id: old } })];
  for (const program of [
    { ci, other },
    { other, ci },
  ])
    await expect(world.preview(program)).rejects.toThrow("another resource of this update");
  const { told } = await world.up({ other });
  expect(told.at(-1)).toContain("is left alone, because another resource of this update has it");
  expect(world.ids()).toEqual([old]);
});
