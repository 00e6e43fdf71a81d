import { describe, expect, test } from "@jest/globals";
import { dropNulls } from "../../framework/shapes";
import { unknown } from "../../framework/testing";
import type { AnnotationState } from "../../provider/nouns/annotation/definition";
import { hostedAnnotation } from "../../provider/nouns/annotation/lifecycle";
import type { Profile } from "../../sdk";
import { Clock, checkWith, testTime } from "../support/host";
import { answering } from "../support/service";
import { annotation, beginScript, begin as beginStory, type World } from "../support/story";

const fields = { datasets: ["web", "api"], title: "Deployed", type: "deploy" };
const deploy = (args: object = {}) => ({ deployed: annotation({ ...fields, ...args }) });
const unchanged = { changes: false, replaces: [] };
const changedInPlace = { changes: true, replaces: [] };

/** A stack with the annotation `deployed`. */
async function begin(profile: Profile, args: object = {}) {
  const world = await beginStory(profile, { clock: new Clock(testTime) });
  await world.up(deploy(args));
  return world;
}
const planned = async (world: World, args: object) => (await world.preview(deploy(args))).found.deployed;
const live = ({ service }: World) => service.annotations.list();

describe("in the documented profile", () => {
  test("a time that was left out is the moment of creation, and stays that", async () => {
    await using at = await begin("documented");
    const time = "2026-11-21T12:00:00.000Z";
    expect(at.state<AnnotationState>("deployed")).toEqual({
      ...fields,
      key: "deployed",
      time,
      record: { timeTaken: time },
    });
    expect(live(at)).toEqual([{ ...fields, id: at.id("deployed"), time: "2026-11-21T12:00:00Z" }]);
    at.clock.pass(1_000);
    expect((await at.up()).found.deployed).toEqual(unchanged);
  });

  test("an end before the moment of creation is refused before anything is sent", async () => {
    await using at = await begin("documented");
    const early = { early: annotation({ ...fields, endTime: "2026-11-21T11:59:00Z" }) };
    await expect(at.up(early)).rejects.toThrow("endTime must not be before time (2026-11-21T12:00:00.000Z)");
    expect(at.writes()).toHaveLength(1);
  });

  test("a refresh reports what was recorded and a deletion leaves it there; neither sends anything", async () => {
    for (const retain of [undefined, false]) {
      await using at = await begin("documented", { retain });
      const sent = at.service.calls.length;
      expect((await at.refresh()).found.deployed).toEqual(unchanged);
      const stays = `annotation ${at.id("deployed")} stays: the profile "documented" cannot delete an annotation.`;
      expect((await at.destroy()).told).toEqual(retain === false ? [stays] : []);
      expect(at.service.calls).toHaveLength(sent);
    }
  });

  test("an import says why it cannot be", async () => {
    await using at = await begin("documented");
    at.stack.rewrite("deployed", { inputs: {}, outputs: { __provider: "" } });
    await expect(at.refresh()).rejects.toThrow('the profile "documented" cannot read an annotation');
  });

  test("every change replaces; the order of datasets and the spelling of instants are none", async () => {
    await using at = await begin("documented", { time: "2026-11-21T12:00:00Z" });
    expect(await planned(at, { datasets: ["api", "web"], time: "2026-11-21T12:00:00.0Z" })).toEqual(unchanged);
    const replaced = { title: "Other", url: "https://x.example", time: "2026-11-21T12:00:01Z" };
    expect((await planned(at, replaced))?.replaces.toSorted()).toEqual(["time", "title", "url"]);
    expect((await planned(at, { time: "2026-11-21T12:00:00Z", endTime: "2026-11-22T12:00:00Z" }))?.replaces).toEqual([
      "endTime",
    ]);
  });

  test("unknown arguments have no failures, and are previewed as a replacement", async () => {
    await using at = await begin("documented", { time: "2030-01-01T00:00:00Z", endTime: "2030-01-02T00:00:00Z" });
    for (const args of [
      { datasets: unknown },
      { datasets: [unknown] },
      { title: unknown, time: unknown },
      { endTime: unknown },
    ])
      expect(await planned(at, args)).toMatchObject({
        changes: true,
        replaces: expect.arrayContaining([expect.anything()]),
      });
  });
});

describe("in the extended profile", () => {
  test("a change is made in place and sends only what changed; what is no longer declared is emptied", async () => {
    await using at = await begin("extended", { url: "https://x.example/1" });
    const next = { datasets: ["api", "web"], title: "Deployed again" };
    expect((await at.up(deploy(next))).found.deployed).toEqual(changedInPlace);
    const time = "2026-11-21T12:00:00Z";
    expect(live(at)).toEqual([{ ...fields, id: at.id("deployed"), time, title: "Deployed again", url: "" }]);
    expect((await at.up()).found.deployed).toEqual(unchanged);
    expect(at.state<AnnotationState>("deployed").time).toBe("2026-11-21T12:00:00.000Z");
  });

  test("an end can be changed in place; without it there is another annotation, because no request removes an end", async () => {
    await using at = await begin("extended", { endTime: "2026-11-21T12:30:00Z" });
    expect(await planned(at, { endTime: "2026-11-21T12:40:00Z" })).toEqual(changedInPlace);
    expect(await planned(at, {})).toEqual({ changes: true, replaces: ["endTime"] });
  });

  test("changed triggers make another annotation; a changed retain changes nothing that is live", async () => {
    await using at = await begin("extended", { triggers: { commit: "a" } });
    expect((await planned(at, { triggers: { commit: "b" } }))?.replaces).toEqual(["triggers"]);
    expect((await at.up(deploy({ triggers: { commit: "a" }, retain: false }))).found.deployed).toEqual(changedInPlace);
    expect(at.state("deployed")).toMatchObject({ retain: false });
    expect(at.writes()).toEqual(["POST /v2/annotations 201"]);
  });

  test("a refresh sees what was changed behind our back, and the next update puts it back", async () => {
    await using at = await begin("extended");
    expect((await at.refresh()).found.deployed).toEqual(unchanged);
    const mine = { title: "Mine", url: "https://x.example" };
    await at.service.annotations.change(at.id("deployed"), { ...mine, time: "2020-01-01T00:00:00Z" });
    expect((await at.refresh()).found.deployed).toEqual(changedInPlace);
    expect(at.stack.find("deployed")?.inputs).toMatchObject(mine);
    expect(at.stack.find("deployed")?.inputs).not.toHaveProperty("time");
    expect(at.state("deployed")).toMatchObject({ ...mine, time: "2020-01-01T00:00:00Z" });
    expect((await at.up()).found.deployed).toEqual(changedInPlace);
    expect(live(at)).toMatchObject([{ title: "Deployed", time: "2026-11-21T12:00:00Z", url: "" }]);
    expect((await at.up()).found.deployed).toEqual(unchanged);
  });

  test("what the service makes of a value by itself is no drift", async () => {
    const given = { title: "Deployed!", time: "2026-11-21T12:00:00Z" };
    const shown = { id: "ann_1", ...fields, ...given };
    await using at = await beginScript(
      "extended",
      answering({ "POST /v2/annotations": shown, "GET /v2/annotations/ann_1": shown }),
    );
    const declared = { title: "Deployed", time: "2026-11-21T12:00:00.4Z" };
    await at.up(deploy(declared));
    expect(at.state("deployed")).toMatchObject({ ...given, record: { declared } });
    expect((await at.refresh()).found.deployed).toEqual(unchanged);
  });

  test("an annotation that was deleted behind our back is gone, and deleting it again is no error", async () => {
    await using at = await begin("extended");
    const id = at.id("deployed");
    await at.service.annotations.remove(id);
    await expect(at.up(deploy({ title: "Other" }))).rejects.toThrow(
      `annotation ${id} was not found: run "pulumi refresh"`,
    );
    at.respond(`GET /v2/annotations/${id}`, 404);
    for (const _ of ["once", "again"]) at.respond("GET /v2/annotations", 200, [{ id }]);
    await expect(at.refresh()).rejects.toThrow("not treated as deleted");
    await at.refresh();
    expect(at.stack.resources).toEqual([]);
    await using other = await begin("extended");
    await other.service.annotations.remove(other.id("deployed"));
    await other.destroy();
  });

  test.each([
    [{}, 0],
    [{ retain: true }, 1],
    [{ triggers: { commit: "a" } }, 1],
    [{ triggers: { commit: "a" }, retain: false }, 0],
  ])("a deletion of one with %j leaves %i annotation", async (args, left) => {
    await using at = await begin("extended", args);
    const sent = at.service.calls.length;
    await at.destroy();
    expect(live(at)).toHaveLength(left);
    // A deletion that succeeded needs no right to read.
    expect(at.service.calls.slice(sent).map(({ method }) => method)).not.toContain("GET");
  });

  test.each([
    [{}, { triggers: { commit: "a" } }, 1],
    [{ triggers: { commit: "a" } }, { triggers: { commit: "b" }, retain: false }, 0],
    [{ triggers: { commit: "a" } }, {}, 1],
  ])("an annotation that declared %j is replaced by %j: %i of the old one stays", async (before, now, left) => {
    await using at = await begin("extended", before);
    const old = at.id("deployed");
    await at.up(deploy(now));
    expect(live(at).filter(({ id }) => id === old)).toHaveLength(left);
  });
});

test.each([
  [{ datasets: [] }, ["datasets"]],
  [{ datasets: "web" }, ["datasets"]],
  [{ datasets: null }, ["datasets"]],
  [{ time: "noon", endTime: 7 }, ["time", "endTime"]],
  [{ time: "2026-01-02T00:00:00Z", endTime: "2026-01-02T00:00:00+01:00" }, ["endTime"]],
  [{ titel: "x" }, ["titel"]],
  [{ type: null }, ["type"], []],
  [{ type: "Deploy 1" }, ["type"], []],
  [{ type: "d".repeat(257) }, ["type"], []],
  [{ title: "t".repeat(257), description: "d".repeat(513) }, ["title", "description"], []],
  [{ url: "nowhere", title: "t".repeat(257) }, ["url", "title"], ["url"]],
  [{ url: `https://x.example/${"u".repeat(512)}` }, ["url"], []],
  [{ title: "é".repeat(256), description: "d".repeat(512) }, [], []],
])("%j is refused for %j; the documented interface names no limit", (args, extended, documented = extended) => {
  for (const [profile, properties] of Object.entries({ extended, documented })) {
    const news = dropNulls({ key: "deployed", ...fields, ...args });
    expect(checkWith(hostedAnnotation, news, { profile: profile as Profile }).properties).toEqual(properties);
  }
});
