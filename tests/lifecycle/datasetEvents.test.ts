import { expect, test } from "@jest/globals";
import { begin, dataset } from "../support/story";
import { beginEmpty, beginFull, eventsOf, web } from "./datasets";

const owned = { deleteEvents: true };
const kind = { kind: "otel:logs:v1" };

test("a dataset cannot be replaced under a name that it keeps, unless deleteEvents is recorded", async () => {
  await using at = await beginFull();
  await expect(at.preview({ web: web(kind) })).rejects.toThrow(
    /^dataset web cannot be replaced \(kind changed\): .*another name.*deleteBeforeReplace/,
  );
  await expect(at.preview({ web: web({ ...kind, ...owned }) })).rejects.toThrow("cannot be replaced");
  expect((await at.preview({ web: web({ ...kind, name: "web2" }) })).found.web?.replaces).toEqual(["name", "kind"]);
  await at.up({ web: web(owned) });
  expect((await at.preview({ web: web({ ...kind, ...owned }) })).found.web?.replaces).toEqual(["kind"]);
  await expect(at.preview({ web: web(kind) })).rejects.toThrow("cannot be replaced");
});

test("a dataset that was only borrowed is not replaced, whatever is declared beside adopt", async () => {
  for (const declared of [{}, owned]) {
    await using at = await beginEmpty();
    await at.service.ingest("web", [{ n: 1 }]);
    await at.up({ web: web({ adopt: true, ...declared }) });
    await expect(at.preview({ web: web({ ...kind, ...declared }) })).rejects.toThrow("cannot be replaced");
  }
});

test.each([
  [30, 7],
  [30, undefined],
  [undefined, 30],
] as const)(
  "a retention of %p days that becomes %p is refused unless deleteEvents is recorded, and still declared",
  async (before, after) => {
    await using at = await beginFull({ retentionDays: before });
    await expect(at.up({ web: web({ retentionDays: after }) })).rejects.toThrow(
      /^dataset web keeps its retention: .*deleteEvents: true and run "pulumi up"/,
    );
    const atOnce = { web: web({ retentionDays: after, ...owned }) };
    await expect(at.up(atOnce)).rejects.toThrow("keeps its retention");
    expect(at.writes()).toEqual(["POST /v2/datasets 200"]);
    await at.up({ web: web({ retentionDays: before, ...owned }) });
    await expect(at.up({ web: web({ retentionDays: after }) })).rejects.toThrow("keeps its retention");
    expect((await at.up(atOnce)).found.web).toEqual({ changes: true, replaces: [] });
    expect(at.service.datasets.list()).toMatchObject([{ useRetentionPeriod: after !== undefined }]);
  },
);

test("a longer retention is refused where the live one is longer still, as nobody has seen that yet", async () => {
  await using at = await beginFull({ retentionDays: 30 });
  await at.service.datasets.change("web", { retentionDays: 90 });
  await expect(at.up({ web: web({ retentionDays: 60 }) })).rejects.toThrow("90 days to 60 days can delete events");
});

test.each([
  [{}, /The old one stays with its events\.$/, 2],
  [owned, /The old one is deleted with its events \(deleteEvents\)\.$/, 1],
])(
  "a replaced dataset stays with its events unless the program goes on to declare deleteEvents: %j",
  async (args, words, left) => {
    await using at = await beginEmpty();
    await at.up({ web: dataset(owned) });
    const { told } = await at.up({ web: dataset({ ...kind, ...args }) });
    expect(told).toContainEqual(expect.stringMatching(words));
    expect(at.service.datasets.list()).toHaveLength(left);
  },
);

test("the deletion of a dataset that is gone already is no failure", async () => {
  await using at = await beginFull(owned);
  await at.service.datasets.remove("web");
  await at.destroy();
});

test("where events cannot be counted, the deletion does not wait for that", async () => {
  await using at = await beginFull(owned);
  at.respond("POST /v1/datasets/_apl", 403);
  expect((await at.destroy()).told).toEqual(["dataset web was deleted."]);
});

test("two accounts that both have the dataset: nothing is done in the wrong one, and both times are named", async () => {
  await using at = await beginFull(owned);
  await using other = await beginFull({}, { now: () => new Date("2026-11-01T00:00:00Z") });
  at.configure({ baseUrl: other.service.url, accessToken: other.service.rootToken });
  const both = /created at 2026-11-01T00:00:00.000Z, and the dataset of this resource at 2026-11-21T12:00:00.000Z/;
  expect((await at.preview()).words).toMatch(both);
  await expect(at.refresh()).rejects.toThrow(both);
  await expect(at.preview({ web: web({ ...owned, description: "b" }) })).rejects.toThrow(both);
  await expect(at.destroy()).rejects.toThrow(both);
  expect(other.writes()).toEqual(["POST /v2/datasets 200"]);
  expect(await eventsOf(other)).toBe(3);
});

test("an account that has no such dataset does not empty the state", async () => {
  await using at = await beginFull(owned);
  await using other = await begin();
  at.configure({ baseUrl: other.service.url, accessToken: other.service.rootToken });
  const doubt = "does this access token belong to another account?";
  await expect(at.refresh()).rejects.toThrow(doubt);
  await expect(at.destroy()).rejects.toThrow(doubt);
});

test("a dataset that was deleted and made anew is not taken for the old one", async () => {
  await using at = await beginFull(owned);
  await at.service.datasets.remove("web");
  at.clock.pass(43_200_000);
  await at.service.ingest("web", [{ n: 1 }]);
  await expect(at.destroy()).rejects.toThrow("another dataset with the same name");
  await expect(at.refresh()).rejects.toThrow("another dataset with the same name");
  expect(await eventsOf(at)).toBe(1);
});

test("a deletion that a replacement left, which takes over the same dataset and whose update died, does not delete what the next update borrows", async () => {
  await using at = await beginFull(owned);
  await at.interrupt({ web: web({ adopt: true }) }, { replace: ["web"] });
  expect((await at.up()).found.web?.changes).toBe(false);
  expect(await eventsOf(at)).toBe(3);
});

test("deleteEvents is announced in every update", async () => {
  await using at = await beginEmpty();
  for (const command of [at.preview, at.up, at.up])
    expect((await command({ web: web(owned) })).told).toEqual([
      expect.stringMatching(/^dataset web: deleteEvents is true, so its events are deleted when/),
    ]);
});
