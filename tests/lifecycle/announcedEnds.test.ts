import { expect, test } from "@jest/globals";
import { apiToken } from "../../provider/nouns/apiToken/lifecycle";
import { type Behaviour, json, startService } from "../support/service";
import { beginScript, testTime } from "../support/session";
import {
  begin,
  createFirst,
  expiresAt,
  interrupt,
  key,
  planNext,
  type Recorded,
  replace,
  startProcess,
} from "./tokenWorld";

// Row 8 of the table in docs/guides/rotate.md: an update died, or a consumer failed, after the new token existed.

const announced = (id: string, words: string) =>
  expect.stringMatching(
    new RegExp(`^API token ${id}, which API token "ci-\\w+" \\(id \\w+\\) replaced in an .*${words}`),
  );
const revokes = "is still valid\\. This update revokes it: a consumer that failed then, or that --target or --exclude";

test("the end of an earlier token is announced although nothing else changes, once", async () => {
  await using world = await begin();
  const old = await createFirst(world, {});
  const successor = await interrupt(world, old, {});
  const { update, changes, inputs } = await planNext(world, successor, { description: "new" });
  expect([changes, update.told]).toEqual([false, [announced(old.id, revokes)]]);
  await update.diff(successor.id, successor.state, inputs);
  expect(update.told).toHaveLength(1);
});

test("an announced end comes although an alias has renamed the resource: the old key's own record does not decide", async () => {
  await using world = await begin();
  const old = await createFirst(world, { key: "before", retire: "expire" });
  const successor = await interrupt(world, old, { retire: "revoke" });
  const { update } = await planNext(world, successor, { description: "new", retire: "revoke" });
  expect(update.told).toEqual([announced(old.id, revokes)]);
  await update.delete(old.id, old.state);
  expect(world.ids()).toEqual([successor.id]);
});

test("a resource that is renamed after the interruption goes on to decide about the earlier token", async () => {
  await using world = await begin();
  const old = await createFirst(world, { retire: "expire" });
  const successor = await interrupt(world, old, { retire: "revoke" });
  const args = { key: "after", description: "new", retire: "revoke" };
  const renaming = await planNext(world, successor, args);
  const state = await renaming.update.update(successor.id, successor.state, renaming.inputs);
  const { update } = await planNext(world, { ...successor, state, inputs: renaming.inputs }, args);
  expect(update.told).toEqual([announced(old.id, revokes)]);
  await update.delete(old.id, old.state);
  expect(world.ids()).toEqual([successor.id]);
});

test.each([
  ["retire is declared since", {}, { retire: "expire" }],
  ["it was to be kept", { retire: "expire" }, {}],
])("nothing is announced of an earlier token that stays valid, because %s", async (_, planned, since) => {
  await using world = await begin();
  const old = await createFirst(world, {});
  const { update } = await planNext(world, await interrupt(world, old, planned), { description: "new", ...since });
  expect(update.told.filter((words) => words.includes("is still valid"))).toEqual([]);
});

test("an earlier token is not announced any more once a list has its successor and lacks it, however new that one is", async () => {
  const evidence = `${Math.floor(testTime.getTime() / 1_000).toString(36)} 0a0a0a0a0a0a t1`;
  const state = { name: "ci", key: "ci", record: { replaced: [{ id: "t0" }] }, evidence };
  const change = { changes: false, replaces: [], plans: { t0: {} } };
  const announce = async (...listed: readonly string[]) => {
    await using it = await beginScript(
      "extended",
      json(
        200,
        listed.map((id) => ({ id, name: id })),
      ),
    );
    return apiToken.verify?.(it.session, "t1", state, change);
  };
  expect(await announce("t1")).toEqual([]);
  // This list is late: it lacks the successor, too.
  expect(await announce()).toContainEqual(expect.stringContaining("may still be valid"));
  expect(await announce("t0", "t1")).toEqual([expect.stringContaining("is still valid")]);
  await using silent = await beginScript("extended", json(403, { message: "no" }));
  expect(await apiToken.verify?.(silent.session, "t1", state, change)).toContainEqual(
    expect.stringContaining("may still be valid"),
  );
});

test("the plugin, which does not see options, says that the deletion may not be pending", async () => {
  await using it = await beginScript(
    "extended",
    json(200, [
      { id: "t0", name: "ci" },
      { id: "t1", name: "ci" },
    ]),
  );
  const state = { name: "ci", key: "ci", record: { replaced: [{ id: "t0" }] } };
  const change = { changes: false, replaces: [], plans: { t0: {} } };
  expect(await apiToken.verify?.({ ...it.session, seesOptions: false }, "t1", state, change)).toEqual([
    expect.stringContaining("is still valid. If its deletion is pending, this update revokes it"),
  ]);
});

test("a recorded option retainOnDelete keeps the old token, and its record and the preview say so", async () => {
  await using world = await begin();
  const old = await createFirst(world, { deleteOptions: ["retainOnDelete"] });
  const { update, create } = await planNext(world, old, { description: "new", deleteOptions: ["retainOnDelete"] });
  expect(update.told.join("\n")).toContain("stays valid until 2099-01-01T00:00:00Z (the option retainOnDelete)");
  expect((await create()).state.record.replaced).toMatchObject([{ id: old.id, ends: "later" }]);
});

test.each([
  [["retainOnDelete"], undefined, "stays valid until"],
  [undefined, ["retainOnDelete"], "is revoked once nothing in this update needs it. The options retainOnDelete and"],
  [
    ["deletedWith"],
    ["deletedWith"],
    "unless the resource of the option deletedWith is deleted too: then it stays valid.",
  ],
])("the engine obeys the option of the state: recorded %j, declared %j", async (recorded, declared, words) => {
  await using world = await begin();
  const old = await createFirst(world, recorded ? { deleteOptions: recorded } : {});
  const { update } = await planNext(world, old, { description: "new", ...(declared && { deleteOptions: declared }) });
  expect(update.told.join("\n")).toContain(words);
});

test("the option deletedWith is warned of once: the engine announces nothing of what it does", async () => {
  await using world = await begin();
  const deleteOptions = ["deletedWith"];
  const warned = expect.stringContaining("has the option deletedWith: if that resource is deleted or replaced");
  const first = world.start();
  const inputs = await first.check({ key: "ci", expiresAt: "2099-01-01T00:00:00Z", deleteOptions });
  expect(first.told).toContainEqual(warned);
  const next = world.start();
  await next.check({ key: "ci", expiresAt: "2099-01-01T00:00:00Z", deleteOptions }, inputs);
  expect(next.told).not.toContainEqual(warned);
});

test("a changed option is recorded in place", async () => {
  await using world = await begin();
  const old = await createFirst(world, {});
  const { update, changes, replaces, inputs } = await planNext(world, old, { deleteOptions: ["retainOnDelete"] });
  expect([changes, replaces]).toEqual([true, []]);
  expect(await update.update(old.id, old.state, inputs)).toMatchObject({ deleteOptions: ["retainOnDelete"] });
});

test("retire that is declared after an interruption is written to the record of the earlier token", async () => {
  await using world = await begin();
  const successor = await interrupt(world, await createFirst(world, {}), {});
  const { update, changes, inputs } = await planNext(world, successor, { description: "new", retire: "expire" });
  expect(changes).toBe(true);
  const { record } = await update.update(successor.id, successor.state, inputs);
  expect(record.replaced).toMatchObject([{ ends: "later" }]);
});

test("a late list neither forgets a kept token nor says that a live one is gone: only a second answer counts", async () => {
  const kept = { id: "t0", ends: "later" } as const;
  const inputs = { name: "ci", key: "ci" };
  const change = { changes: false, replaces: [], plans: { t0: { retire: "expire" } } } as const;
  const play = async (...responses: Behaviour[]) => {
    await using it = await beginScript("extended", ...responses);
    const state = { ...inputs, evidence: it.session.account.credential, record: { replaced: [kept] } };
    const told = await apiToken.verify?.(it.session, "t1", state, change);
    const { record } = await apiToken.update(it.session, "t1", state, inputs);
    return { told, replaced: record.replaced, calls: it.service.calls };
  };
  const token = { id: "t1", name: "ci" };
  const [found, missing] = [json(200, token), json(404, { message: "none" })];
  const late = ["GET /v2/tokens", "GET /v2/tokens/t1"];
  expect(await play(json(200, []), found)).toEqual({ told: [], replaced: [kept], calls: late });
  const gone = expect.stringContaining("no longer exists");
  expect(await play(json(200, []), missing)).toEqual({ told: [gone], replaced: [kept], calls: late });
  // A list that has the successor is not late.
  const calls = ["GET /v2/tokens", "GET /v2/tokens/t0"];
  expect(await play(json(200, [token]), found)).toEqual({ told: [], replaced: [kept], calls });
  expect(await play(json(200, [token]), missing)).toEqual({ told: [], replaced: undefined, calls });
});

test.each([
  [{}, /^API token "ci-\w+" \(id \w+\) was revoked\.$/],
  [
    { rotation: { overlap: "2d" } },
    /was revoked\. rotation\.overlap had no effect, because the engine compared nothing/,
  ],
])("a deletion that no diff planned says what it did: %j", async (news, words) => {
  await using world = await begin();
  const old: Recorded = await createFirst(world, news);
  const { delete: remove, told } = world.start();
  await remove(old.id, old.state);
  expect(told).toEqual([expect.stringMatching(words)]);
});

test("an earlier token that one list lacks is not announced, so its deletion says that it was revoked", async () => {
  await using world = await begin();
  const old = await createFirst(world, {});
  const successor = await interrupt(world, old, {});
  const { url, rootToken } = world.service;
  await using late = await startService(async (response, { call }) => {
    const [method = "", path = ""] = call.split(" ");
    const passed = await fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${rootToken}` } });
    const body = await passed.text();
    const withoutOld = (tokens: readonly { readonly id: string }[]) => tokens.filter(({ id }) => id !== old.id);
    const shown = call === "GET /v2/tokens" ? JSON.stringify(withoutOld(JSON.parse(body))) : body;
    response.writeHead(passed.status, { "content-type": "application/json" }).end(shown);
  });
  const update = startProcess({ baseUrl: late.url, accessToken: rootToken, profile: "extended" });
  const inputs = await update.check({ key, expiresAt, description: "new" }, successor.inputs);
  await update.diff(successor.id, successor.state, inputs);
  expect(update.told).toEqual([]);
  await update.delete(old.id, old.state);
  expect(world.ids()).not.toContain(old.id);
  expect(update.told).toEqual([expect.stringContaining(`(id ${old.id}) was revoked.`)]);
});

test("a token that a diff keeps by retainOnDelete stays valid, even if an update with --target has removed the option", async () => {
  await using world = await begin();
  const old = await createFirst(world, { deleteOptions: ["retainOnDelete"] });
  const { preview, told } = await replace(world, old, {});
  expect(preview).toContain("(the option retainOnDelete)");
  expect(told).toContain("is no longer managed here");
  expect(world.ids()).toContain(old.id);
});

test("a deletion without a plan says that the token is gone, also if the response to its first request was lost", async () => {
  await using world = await begin();
  const { id, state } = await createFirst(world, {});
  await world.client.tokens.delete(id);
  const { delete: remove, told } = world.start();
  await remove(id, state);
  expect(told).toEqual([expect.stringContaining(`(id ${id}) is gone.`)]);
});
