import { expect, test } from "@jest/globals";
import { planWords } from "../../provider/nouns/apiToken/fate";
import { apiToken } from "../../provider/nouns/apiToken/lifecycle";
import { defined } from "../../values/defined";
import { json } from "../support/service";
import { beginScript, planOf } from "../support/session";
import { begin, createFirst, expiresAt, interrupt, key, planNext, type Recorded, type World } from "./tokenWorld";

// Row 3 of the table in docs/guides/rotate.md, where one process does not know all of it, and row 12. The others: oldToken.test.ts.

const overlap = { rotation: { overlap: "2d" } };
const overlaps = /stays valid until 20[^ ]* \(rotation\.overlap\)/;

type Update = ReturnType<World["start"]>;

test.each<[string, (world: World, old: Recorded) => Promise<Pick<Recorded, "state"> & { readonly update: Update }>]>([
  [
    "ignoreChanges hides it from the diff",
    async (world, old) => {
      const { update } = await planNext(world, old, { description: "new" });
      const { state } = await update.create(await update.check({ key, expiresAt, description: "new", ...overlap }));
      return { state, update };
    },
  ],
  [
    "the resource was renamed, and the update interrupted",
    async (world, old) => {
      const renamed = { key: "renamed", description: "new", ...overlap };
      const { state, ...successor } = await interrupt(world, old, renamed);
      const { update } = await planNext(world, { state, ...successor }, renamed);
      return { state, update };
    },
  ],
])("row 3: a first overlap that has begun keeps the token, also if %s", async (_, play) => {
  await using world = await begin();
  const old = await createFirst(world, {});
  const { state, update } = await play(world, old);
  await update.delete(old.id, old.state);
  expect(state.record.replaced).toMatchObject([{ id: old.id, ends: "later", until: world.expiryOf(old.id) }]);
  expect(update.told.at(-1)).toMatch(overlaps);
});

test("row 3: an overlap that has begun keeps the token, also if the service shows the old expiry a while longer", async () => {
  const shown = { id: "t1", name: "ci", expiresAt };
  const answers = { "POST /v2/tokens/t1/regenerate": { id: "t2", name: "ci", token: "x", expiresAt } };
  await using it = await beginScript("extended", (response, request, socket) =>
    json(200, answers[request.call as keyof typeof answers] ?? shown)(response, request, socket),
  );
  const [state, inputs] = [
    { name: "ci", key, expiresAt, record: {} },
    { name: "ci", key, expiresAt, ...overlap },
  ];
  const { t1: planned } = planWords("t1", state, inputs, planOf("extended"));
  const { plans } = await apiToken.create(it.session, inputs, { id: "t1", state, ...defined({ planned }) });
  await apiToken.delete(it.session, "t1", state, plans?.t1);
  expect(it.service.calls.filter((call) => call.startsWith("DELETE"))).toEqual([]);
  expect(it.session.warnings).toEqual([expect.stringMatching(overlaps)]);
});

test("row 3: the documented profile refuses an overlap", async () => {
  await using world = await begin("documented");
  await expect(createFirst(world, overlap)).rejects.toThrow(
    /^rotation\.overlap needs the profile "extended": .* use retire: "expire" and a longer rotateBefore$/,
  );
});

test("row 12: an expiry that was secret shows in no error about an overlap", async () => {
  await using world = await begin();
  const soon = `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 19)}Z`;
  const old = await createFirst(world, { expiresAt: soon, secretInputs: ["expiresAt"] });
  const { create } = await planNext(world, old, { expiresAt: undefined, expiresIn: "90d", ...overlap });
  const path = `/v2/tokens/${old.id}/regenerate`;
  world.service.inject({ method: "POST", path, action: { kind: "close-before-response" } });
  await expect(create()).rejects.toThrow(/may expire at its expiry, which is secret now/);
});

test("row 1: an expiry that the service shows without its fraction is no overlap", async () => {
  const shown = { id: "t1", name: "ci", expiresAt: "2099-01-01T00:00:00Z" };
  await using it = await beginScript("extended", (response, request, socket) =>
    json(200, request.call === "GET /v2/tokens" ? [shown] : shown)(response, request, socket),
  );
  await apiToken.delete(it.session, "t1", { name: "ci", key, expiresAt: "2099-01-01T00:00:00.5Z", record: {} });
  expect(it.service.calls.at(-1)).toBe("DELETE /v2/tokens/t1");
});

test("row 1: a token whose expiry somebody else moved is revoked, if the preview says so", async () => {
  await using world = await begin();
  const old = await createFirst(world, {});
  const existingTokenExpiresAt = "2098-01-01T00:00:00Z";
  await world.client.tokens.regenerate(old.id, { existingTokenExpiresAt, newToken: { name: "by hand" } });
  const read = await world.start().read(old.id, old.state);
  const { update, create } = await planNext(world, { ...old, state: read?.state as never }, {});
  expect(update.told.join()).toContain("The old token is revoked once nothing in this update needs it");
  await create();
  await update.delete(old.id, read?.state as object);
  expect(world.ids()).not.toContain(old.id);
});

test("row 6: nobody is asked about a borrowed token", async () => {
  await using it = await beginScript("extended", json(403, {}));
  await apiToken.delete(it.session, "t1", { name: "ci", key, expiresAt, adopt: { id: "t1" }, record: {} });
  expect(it.service.calls).toEqual([]);
  expect(it.session.warnings).toEqual([expect.stringContaining("it is only borrowed while adopt is declared")]);
});
