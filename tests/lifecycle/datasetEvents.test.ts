import { expect, test } from "@jest/globals";
import { Hooks } from "../../framework/hooks";
import type { Bag } from "../../framework/lifecycle";
import { dataset, hostedDataset } from "../../provider/nouns/dataset/lifecycle";
import { startHost, tellNobody, testTime } from "../support/session";
import { begin, createFull, diff, eventsOf, web, writes } from "./datasetWorld";

test("a dataset cannot be replaced under a name that it keeps, unless deleteEvents is recorded", async () => {
  await using at = await createFull();
  const next = { ...web, kind: "otel:logs:v1" } as const;
  expect(() => diff(at.state, next)).toThrow(
    /^dataset web cannot be replaced \(kind changed\): .*another name.*deleteBeforeReplace/,
  );
  expect(() => diff(at.state, { ...next, deleteEvents: true })).toThrow("cannot be replaced");
  const both = { ...next, deleteEvents: true };
  expect(diff({ ...at.state, deleteEvents: true }, both)).toMatchObject({ replaces: ["kind"] });
  expect(() => diff({ ...at.state, deleteEvents: true }, next)).toThrow("cannot be replaced");
  // A dataset that was only borrowed stays, whatever is declared beside adopt.
  expect(() => diff({ ...at.state, deleteEvents: true, adopt: true }, both)).toThrow("cannot be replaced");
  expect(() => diff({ ...at.state, adopt: true }, next)).toThrow("cannot be replaced");
  expect(diff(at.state, { ...next, name: "web2" })).toMatchObject({ replaces: ["name", "kind"] });
});

test.each([
  [30, 7],
  [30, undefined],
  [undefined, 30],
] as const)(
  "a retention of %p days that becomes %p is refused unless deleteEvents is recorded, and still declared",
  async (before, after) => {
    const first = { ...web, ...(before && { retentionDays: before }) };
    const next = { ...web, ...(after && { retentionDays: after }) };
    await using at = await createFull(first);
    expect(() => diff(at.state, next)).toThrow(
      /^dataset web keeps its retention: .*deleteEvents: true and run "pulumi up"/,
    );
    expect(() => diff(at.state, { ...next, deleteEvents: true })).toThrow("keeps its retention");
    await expect(dataset.update(at.session, at.id, at.state, next)).rejects.toThrow("keeps its retention");
    const allowed = { ...at.state, deleteEvents: true };
    expect(() => diff(allowed, next)).toThrow("keeps its retention");
    await expect(dataset.update(at.session, at.id, allowed, next)).rejects.toThrow("keeps its retention");
    expect(writes(at)).toEqual(["POST /v2/datasets 200"]);
    const both = { ...next, deleteEvents: true };
    expect(diff(allowed, both)).toMatchObject({ changes: true, replaces: [] });
    await dataset.update(at.session, at.id, allowed, both);
    expect(at.service.datasets.list()).toMatchObject([{ useRetentionPeriod: after !== undefined }]);
  },
);

test("a longer retention is refused where the live one is longer still, as nobody has seen that yet", async () => {
  await using at = await createFull({ ...web, retentionDays: 30 });
  await at.service.datasets.change("web", { retentionDays: 90 });
  const next = { ...web, retentionDays: 60 };
  expect(diff(at.state, next)).toMatchObject({ changes: true });
  await expect(dataset.update(at.session, at.id, at.state, next)).rejects.toThrow(
    "90 days to 60 days can delete events",
  );
});

test.each([
  [{}, "stays with its events"],
  [{ deleteEvents: false }, "stays with its events"],
  [{ deleteEvents: true, adopt: true }, "it was only borrowed"],
])("a dataset whose state has %j stays with its events, and a warning names it", async (recorded, words) => {
  await using at = await createFull();
  await dataset.delete(at.session, at.id, { ...at.state, ...recorded });
  expect(await eventsOf(at)).toBe(3);
  expect(at.session.warnings).toEqual([expect.stringContaining(`dataset web is no longer managed here`)]);
  expect(at.session.warnings[0]).toContain(words);
  expect(at.session.warnings[0]).toContain("declare its name with adopt: true");
});

test("a replaced dataset stays with its events if the program no longer says deleteEvents", async () => {
  await using at = await createFull({ key: "web", name: "web-1a2b3c4", deleteEvents: true });
  const next = { key: "web", name: "web-1a2b3c4", kind: "otel:logs:v1" } as const;
  const { plans, notice } = diff(at.state, next, at.id);
  expect(notice).toMatch(/The old one stays with its events\.$/);
  await dataset.delete(at.session, at.id, at.state, plans?.[at.id]);
  expect(await eventsOf(at, at.id)).toBe(3);
  const both = diff(at.state, { ...next, deleteEvents: true }, at.id);
  expect(both.notice).toMatch(/The old one is deleted with its events \(deleteEvents\)\.$/);
  await dataset.delete(at.session, at.id, at.state, both.plans?.[at.id]);
  expect(at.service.datasets.list()).toEqual([]);
});

test("with a recorded deleteEvents a deletion says how many events went; a second one is no failure", async () => {
  await using at = await createFull({ ...web, deleteEvents: true });
  await dataset.delete(at.session, at.id, at.state);
  expect(at.service.datasets.list()).toEqual([]);
  expect(at.session.progress).toEqual(["dataset web was deleted: it had 3 events."]);
  await dataset.delete(at.session, at.id, at.state);
});

test("where events cannot be counted, the deletion does not wait for that", async () => {
  await using at = await createFull({ ...web, deleteEvents: true });
  at.service.inject({ method: "POST", path: "/v1/datasets/_apl", action: { kind: "status", status: 403 } });
  await dataset.delete(at.session, at.id, at.state);
  expect(at.session.progress).toEqual(["dataset web was deleted."]);
});

test("two accounts that both have the dataset: nothing is done in the wrong one, and both times are named", async () => {
  await using at = await createFull({ ...web, deleteEvents: true });
  await using other = await createFull(web, { now: () => new Date("2026-11-01T00:00:00Z") });
  const both = /created at 2026-11-01T00:00:00.000Z, and that of this resource at 2026-11-21T12:00:00.000Z/;
  await expect(dataset.read(other.session, at.id, at.state)).rejects.toThrow(both);
  await expect(dataset.update(other.session, at.id, at.state, { ...web, description: "b" })).rejects.toThrow(both);
  await expect(dataset.delete(other.session, at.id, at.state)).rejects.toThrow(both);
  const change = { changes: true, replaces: [] };
  await expect(dataset.verify?.(other.session, at.state, { id: at.id, state: at.state, change })).rejects.toThrow(both);
  const none = await dataset.verify?.(other.session, at.state, {
    id: at.id,
    state: at.state,
    change: { ...change, changes: false },
  });
  expect(none).toEqual([expect.stringMatching(both)]);
  expect(writes(other)).toEqual(["POST /v2/datasets 200"]);
  expect(await eventsOf(other)).toBe(3);
});

test("an account that has no such dataset does not empty the state", async () => {
  await using at = await createFull({ ...web, deleteEvents: true });
  await using other = await begin();
  const doubt = "does this access token belong to another account?";
  await expect(dataset.read(other.session, at.id, at.state)).rejects.toThrow(doubt);
  await expect(dataset.delete(other.session, at.id, at.state)).rejects.toThrow(doubt);
});

test("a dataset that was deleted and made anew is not taken for the old one", async () => {
  let now = testTime;
  await using at = await createFull({ ...web, deleteEvents: true }, { now: () => now });
  await at.service.datasets.remove("web");
  now = new Date("2026-11-22T00:00:00Z");
  await at.service.ingest("web", [{ n: 1 }]);
  await expect(dataset.delete(at.session, at.id, at.state)).rejects.toThrow("another dataset of the same name");
  await expect(dataset.read(at.session, at.id, at.state)).rejects.toThrow("another dataset of the same name");
  expect(await eventsOf(at)).toBe(1);
});

test("a chosen name that exists is an error that names adopt and the ways out of a replacement", async () => {
  await using at = await createFull();
  await expect(dataset.create(at.session, web)).rejects.toThrow(/409.*declare adopt: true.*deleteBeforeReplace/);
  expect(await eventsOf(at)).toBe(3);
});

test("a replacement that takes over the same dataset, as a taint with adopt does, does not delete it afterwards", async () => {
  await using at = await createFull({ ...web, deleteEvents: true });
  const { url: baseUrl, rootToken: accessToken } = at.service;
  const told: string[] = [];
  const tell = { warn: async (text: string) => void told.push(text), inform: async () => undefined };
  const hooks = new Hooks(hostedDataset, startHost({ baseUrl, accessToken, profile: "extended" }, tell));
  const { inputs } = await hooks.check(undefined, { key: "web", name: "web", adopt: true }, tell);
  expect((await hooks.create(inputs, tell)).id).toBe("web");
  await hooks.delete("web", at.state as unknown as Bag, tell);
  expect(told).toEqual(["Dataset web is left alone: a resource of this update has it."]);
  expect(await eventsOf(at)).toBe(3);
});

test("a deletion that such a replacement left, as its update died, does not delete what the next update borrows", async () => {
  await using at = await createFull({ ...web, deleteEvents: true });
  const { url: baseUrl, rootToken: accessToken } = at.service;
  const start = () => new Hooks(hostedDataset, startHost({ baseUrl, accessToken, profile: "extended" }));
  const [dying, next, args] = [start(), start(), { key: "web", name: "web", adopt: true }];
  const { inputs } = await dying.check(undefined, args, tellNobody);
  const { id, state } = await dying.create(inputs);
  const again = await next.check(inputs, args, tellNobody);
  expect(await next.diff(id, () => state, again.inputs, tellNobody)).toMatchObject({ changes: false });
  await next.delete(id, at.state as unknown as Bag);
  expect(await eventsOf(at)).toBe(3);
});

test("deleteEvents is announced in every update", async () => {
  const { url: baseUrl, rootToken: accessToken, ...service } = (await begin()).service;
  const notes: string[] = [];
  const tell = { warn: async () => undefined, inform: async (text: string) => void notes.push(text) };
  const hooks = new Hooks(hostedDataset, startHost({ baseUrl, accessToken, profile: "extended" }, tell));
  const { inputs } = await hooks.check(undefined, { key: "web", name: "web", deleteEvents: true }, tell);
  expect(notes).toEqual([expect.stringMatching(/^dataset web: deleteEvents is true, so its events are deleted when/)]);
  expect(inputs).toMatchObject({ deleteEvents: true });
  await service.close();
});
