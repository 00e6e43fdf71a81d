import { describe, expect, test } from "@jest/globals";
import type { Fault } from "../../emulator";
import { readRecord } from "../../provider/apiToken/recorded";
import { startProcess } from "../support/tokenHooks";
import { begin, createFirst, key, type Recorded, type World } from "../support/tokenWorld";

describe("the predecessors that a token records", () => {
  /** Replaces a token in an update of its own, which deletes the old one or does not come to that. */
  async function rotate({ start }: World, old: Recorded, round: number, more: object, isFinished = true) {
    const update = start();
    const news = { key, rotation: { triggers: { round } }, ...more };
    await update.diff(old.id, old.state, await update.check(news, old.inputs));
    const inputs = await update.check(news);
    const successor: Recorded = { inputs, ...(await update.create(inputs)) };
    if (isFinished) await update.delete(old.id, old.state);
    return successor;
  }

  const fault = (path: string, answer: { status: number; body?: unknown }): Fault => ({
    method: "GET",
    path,
    action: { kind: "status", ...answer },
  });
  const idsIn = ({ state }: Recorded) => state.record.predecessors?.map(({ id }) => id);

  test.each([
    ["without an expiry", {}],
    ["with a secret one", { expiresIn: "90d", secretInputs: ["expiresIn"] }],
  ])("%s are those that are live, and the one of this update", async (_, more) => {
    await using world = await begin();
    const first = await createFirst(world, { expiresAt: undefined, ...more });
    const second = await rotate(world, first, 1, more, false);
    const third = await rotate(world, second, 2, more);
    const fourth = await rotate(world, third, 3, more);
    expect(idsIn(fourth)).toEqual([third.id, first.id]);
    await world.client.tokens.delete(first.id);
    expect(idsIn(await rotate(world, fourth, 4, more))).toEqual([fourth.id]);
  });

  test.each<[string, boolean, (id: string) => Fault]>([
    ["the list fails", true, () => fault("/v2/tokens", { status: 400 })],
    ["the lookup fails", true, (id) => fault(`/v2/tokens/${id}`, { status: 400 })],
    ["the list lacks a token that a lookup finds", false, () => fault("/v2/tokens", { status: 200, body: [] })],
  ])("stay where the service does not say twice that they are gone: %s", async (_, isFinished, faultOf) => {
    await using world = await begin();
    const first = await createFirst(world, { expiresAt: undefined });
    const second = await rotate(world, first, 1, {}, isFinished);
    world.service.inject(faultOf(first.id));
    expect(idsIn(await rotate(world, second, 2, {}))).toEqual([second.id, first.id]);
  });

  test("stay if they may belong to another account, which nothing here can tell about", async () => {
    await using theirs = await begin();
    await using ours = await begin();
    const processOf =
      ({ service }: World, account: string) =>
      () =>
        startProcess({ baseUrl: service.url, accessToken: service.rootToken, profile: "extended", account });
    const [before, now] = [
      { ...theirs, start: processOf(theirs, "theirs") },
      { ...ours, start: processOf(ours, "ours") },
    ];
    const first = await createFirst(before, { expiresAt: undefined });
    const second = await rotate(before, first, 1, {}, false);
    const third = await rotate(now, second, 1, {}, false);
    const fourth = await rotate(now, third, 2, {});
    expect(idsIn(await rotate(now, fourth, 3, {}))).toEqual([fourth.id, second.id, first.id]);
    expect(theirs.ids()).toEqual([first.id, second.id]);
  });

  test("of another key and account show an audit their rights and their expiry, and nothing else", () => {
    const [own, rights] = [{ id: "t1", fate: "revoke", origin: "created" }, { orgCapabilities: { users: ["read"] } }];
    const record = { origin: "created", predecessors: [{ ...own, key: "former", elsewhere: true, ...rights }] };
    expect(readRecord({ record }).predecessors).toEqual([{ ...own, hidden: [], fields: rights }]);
  });
});
