import { expect, test } from "@jest/globals";
import { secret } from "../../framework/testing";
import { json } from "../support/service";
import { begin, beginScript, expiresAt, token, type World } from "../support/story";

// Row 3 of the table in docs/guides/rotate.md, where one process does not know all of it, and row 12. The others: oldToken.test.ts.

const overlap = { rotation: { overlap: "2d" } };
const changed = { description: "new", ...overlap };
const overlaps = /stays valid until 20[^ ]* \(rotation\.overlap\)/;

test.each<[string, string, (world: World) => ReturnType<World["up"]>]>([
  [
    "ignoreChanges hides it from the diff",
    "ci",
    (world) => world.up({ ci: token(changed, { ignoreChanges: ["rotation"] }) }),
  ],
  [
    "the resource was renamed, and the update interrupted",
    "renamed",
    async (world) => {
      await world.interrupt({ renamed: token(changed, { alias: "ci" }) });
      return world.up();
    },
  ],
  [
    "the process of another provider began it, after a refresh had listed the token",
    "ci",
    (world) => world.up({ ci: token(changed, { provider: "other" }) }, { refresh: true }),
  ],
  [
    "the process of another provider began it, after an early deletion had listed the token",
    "ci",
    async (world) => {
      const early = (args: object) =>
        token({ name: "early", retire: "expire", ...args }, { deleteBeforeReplace: true });
      await world.up({ early: early({}), ci: token() });
      return world.up({
        early: early({ description: "new" }),
        ci: token(changed, { provider: "other", dependsOn: ["early"] }),
      });
    },
  ],
])("row 3: a first overlap that has begun keeps the token, also if %s", async (_, name, replace) => {
  await using world = await begin();
  const old = await world.declare();
  const { told } = await replace(world);
  expect(world.state(name).record.replaced).toMatchObject([{ id: old, ends: "later", until: world.expiryOf(old) }]);
  expect(told.at(-1)).toMatch(overlaps);
});

test.each([
  ["fails", (world: World) => world.respond("GET /v2/tokens", 200, "<!doctype html>")],
  ["lacks the token", (world: World) => world.listOnly(() => false)],
])("row 3: a first overlap that a killed update began keeps the token, also if the list %s", async (_, spoil) => {
  await using world = await begin();
  const old = await world.declare();
  await world.interrupt({ ci: token(changed) });
  spoil(world);
  const { told } = await world.destroy();
  expect(told).toContainEqual(expect.stringMatching(overlaps));
  expect(world.ids()).toEqual([old]);
});

/** A service with a token `t1` that it shows as told, whatever happens to it. */
const beginShown = (made: string, shown: string) => {
  const minted = (id: string, end: string) => ({ id, name: "ci", expiresAt: end, token: `xaat-${id}` });
  const answers: Readonly<Record<string, unknown>> = {
    "POST /v2/tokens": minted("t1", made),
    "POST /v2/tokens/t1/regenerate": minted("t2", made),
    "GET /v2/tokens": [{ id: "t1", name: "ci", expiresAt: shown }],
  };
  return beginScript("extended", (response, request, socket) =>
    json(200, answers[request.call] ?? { id: "t1", name: "ci", expiresAt: shown })(response, request, socket),
  );
};

test("row 3: an overlap that has begun keeps the token, also if the service shows the old expiry a while longer", async () => {
  await using world = await beginShown(expiresAt, expiresAt);
  await world.declare({ name: "ci" });
  const { told } = await world.up({ ci: token({ name: "ci", ...changed }) });
  expect(world.service.calls.filter((call) => call.startsWith("DELETE"))).toEqual([]);
  expect(told.at(-1)).toMatch(overlaps);
});

test("row 1: an expiry that the service shows without its fraction is no overlap", async () => {
  const precise = expiresAt.replace("Z", ".5Z");
  await using world = await beginShown(precise, expiresAt);
  await world.declare({ name: "ci", expiresAt: precise });
  await world.destroy();
  expect(world.service.calls.at(-1)).toBe("DELETE /v2/tokens/t1");
});

test("row 3: the documented profile refuses an overlap", async () => {
  await using world = await begin("documented");
  await expect(world.declare(overlap)).rejects.toThrow(
    /^rotation\.overlap needs the profile "extended": .* use retire: "expire" and a longer rotateBefore$/,
  );
});

test("row 12: an expiry that was secret shows in no error about an overlap", async () => {
  await using world = await begin();
  const soon = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
  const old = await world.declare({ expiresAt: secret(soon) });
  const path = `/v2/tokens/${old}/regenerate`;
  world.service.inject({ method: "POST", path, action: { kind: "close-before-response" } });
  await expect(world.declare({ ...changed, expiresAt: undefined, expiresIn: "90d" })).rejects.toThrow(
    /may now expire at a secret time\./,
  );
});

test("row 1: a token whose expiry somebody else moved is revoked, if the preview says so", async () => {
  await using world = await begin();
  const old = await world.declare();
  const existingTokenExpiresAt = "2098-01-01T00:00:00Z";
  await world.client.tokens.regenerate(old, { existingTokenExpiresAt, newToken: { name: "by hand" } });
  await world.refresh();
  const { words } = await world.up();
  expect(words).toContain("The old token is revoked once nothing in this update needs it");
  expect(world.ids()).not.toContain(old);
});
