import { expect, test } from "@jest/globals";
import { secret } from "../../framework/testing";
import type { DatasetState } from "../../provider/nouns/dataset/definition";
import { hostedDataset } from "../../provider/nouns/dataset/lifecycle";
import { readEvidence } from "../../provider/shared/account/evidence";
import { beginSession } from "../support/host";
import { answering, hangUp, json } from "../support/service";
import { begin, beginScript, dataset } from "../support/story";
import { beginEmpty, beginFull, created, eventsOf, web } from "./datasets";

const unchanged = { changes: false, replaces: [] };
const changedInPlace = { changes: true, replaces: [] };

test("a created dataset is recorded with the time that proves which one it is, and with what the service chose", async () => {
  await using at = await beginEmpty();
  await at.up({ web: web({ description: "Requests", retentionDays: 30 }) });
  const state = at.state<DatasetState>("web");
  expect(at.id("web")).toBe("web");
  expect(state).toMatchObject({ description: "Requests", retentionDays: 30, createdAt: created, who: "root" });
  expect(state).toMatchObject({ kind: "axiom:events:v1", edgeDeployment: "cloud.us-east-1.aws" });
  expect(at.service.datasets.list()).toMatchObject([{ name: "web", retentionDays: 30, useRetentionPeriod: true }]);
  expect((await at.up()).found.web).toEqual(unchanged);
  expect((await at.refresh()).found.web).toEqual(unchanged);
});

test("without retentionDays nothing is sent about the retention", async () => {
  const live = { id: "web", name: "web", created };
  await using at = await beginScript("extended", answering({ "POST /v2/datasets": live, "GET /v2/datasets": [] }));
  await at.up({ web: web() });
  expect(at.service.requests.find(({ call }) => call.startsWith("POST"))?.body).toBe('{"name":"web"}');
});

test("a description and a longer retention change in place", async () => {
  await using at = await beginFull({ description: "a", retentionDays: 30 });
  const next = { web: web({ description: "b", retentionDays: 60 }) };
  const { found, told } = await at.up(next);
  expect([found.web, told]).toEqual([changedInPlace, []]);
  expect(at.service.datasets.list()).toMatchObject([{ description: "b", retentionDays: 60 }]);
  expect(at.state<DatasetState>("web")).toMatchObject({ createdAt: created, kind: "axiom:events:v1" });
  expect((await at.up(next)).found.web).toEqual(unchanged);
  await at.up({ web: web({ retentionDays: 60 }) });
  expect(at.service.datasets.list()).toMatchObject([{ description: "" }]);
  expect((await at.up()).found.web).toEqual(unchanged);
});

test("an update sends what it does not change, too: a service that resets what is left out would delete events", async () => {
  const live = { id: "web", name: "web", created, description: "a", retentionDays: 30, useRetentionPeriod: true };
  await using at = await beginScript(
    "extended",
    answering({
      "POST /v2/datasets": live,
      "GET /v2/datasets/web": live,
      "PUT /v2/datasets/web": { ...live, description: "b" },
      "GET /v2/datasets": [live],
    }),
  );
  await at.up({ web: web({ description: "a", retentionDays: 30 }) });
  await at.up({ web: web({ description: "b", retentionDays: 30 }) });
  const sent = at.service.requests.find(({ call }) => call.startsWith("PUT"));
  expect(JSON.parse(sent?.body ?? "")).toEqual({ description: "b", retentionDays: 30, useRetentionPeriod: true });
});

test("another kind or edge deployment replaces a dataset with a generated name, and the notice says that the old one stays", async () => {
  await using at = await beginEmpty();
  await at.up({ web: dataset() });
  for (const change of [{ kind: "otel:logs:v1" }, { edgeDeployment: "cloud.eu-central-1.aws" }]) {
    const [field = ""] = Object.keys(change);
    const { found, told } = await at.preview({ web: dataset(change) });
    expect(found.web).toEqual({ changes: true, replaces: [field] });
    expect(told).toEqual([`dataset ${at.id("web")} will be replaced (${field}). The old one stays with its events.`]);
  }
});

test("a kind and an edge deployment that are no longer declared stay as they are", async () => {
  await using at = await beginFull({ kind: "otel:logs:v1", edgeDeployment: "cloud.eu-central-1.aws" });
  expect((await at.up({ web: web() })).found.web).toEqual(unchanged);
});

test("a dataset that somebody deleted is gone for a read, once the service cannot show it late any more", async () => {
  await using at = await beginFull();
  await at.service.datasets.remove("web");
  await expect(at.refresh()).rejects.toThrow("created only minutes ago");
  at.clock.pass(600_000);
  await at.refresh();
  expect(at.stack.resources).toEqual([]);
});

test("a dataset that a list lacks is not said to be gone before a lookup says so, too", async () => {
  await using at = await beginFull();
  at.clock.pass(600_000);
  at.respond("GET /v2/datasets", 200, []);
  expect((await at.preview()).told).toEqual([]);
  await at.service.datasets.remove("web");
  expect((await at.preview()).told).toEqual([
    expect.stringContaining("dataset web is in the state but no longer exists"),
  ]);
});

test("an imported dataset does not count as created by the import", async () => {
  const live = { id: "web", name: "web", created };
  await using at = await beginSession("extended", answering({ "GET /v2/datasets/web": live, "GET /v2/tokens": [] }));
  const found = await hostedDataset.lifecycle.read(at.session, "web", { key: "web" });
  expect(found?.inputs).toEqual({ key: "web", name: "web", chosenName: true });
  expect(found?.state).toMatchObject({ name: "web", createdAt: created });
  expect(readEvidence(found?.state.evidence).created).toBeUndefined();
});

test("drift shows in a refresh, and the next update puts it back", async () => {
  await using at = await beginFull({ description: "a" });
  await at.service.datasets.change("web", { description: "Mine" });
  expect((await at.refresh()).found.web).toEqual(changedInPlace);
  expect(at.stack.find("web")?.inputs).toMatchObject({ name: "web", description: "Mine" });
  expect((await at.up()).found.web).toEqual(changedInPlace);
  expect(at.service.datasets.list()).toMatchObject([{ description: "a" }]);
});

test("adopt takes an existing dataset over as it is declared, and borrows it", async () => {
  await using at = await beginEmpty();
  await at.service.ingest("web", [{ n: 1 }]);
  await at.up({ web: web({ adopt: true }) });
  expect([at.id("web"), at.writes()]).toEqual(["web", []]);
  expect(at.state("web")).toMatchObject({ createdAt: created, adopt: true, kind: "axiom:events:v1" });
  const { found, words } = await at.preview({ web: web({ adopt: true, description: "b" }) });
  expect(found.web).toEqual(unchanged);
  expect(words).toContain("is only borrowed");
  // Once the line goes it is owned.
  expect((await at.up({ web: web({ description: "b" }) })).found.web).toEqual(changedInPlace);
  expect(at.service.datasets.list()).toMatchObject([{ description: "b" }]);
});

test("adopt with another name replaces the resource's dataset, which ends as its state says", async () => {
  await using at = await beginFull();
  await at.service.ingest("other", [{ n: 1 }]);
  const { words } = await at.up({ web: web({ adopt: true, name: "other" }) });
  expect(words).toContain("dataset web will be replaced (name). The old one stays with its events.");
  expect([at.id("web"), await eventsOf(at)]).toEqual(["other", 3]);
});

test("adopt is refused for a dataset that is not there, that differs, or that another resource has", async () => {
  await using at = await beginEmpty();
  await expect(at.up({ web: web({ adopt: true }) })).rejects.toThrow("there is no dataset web to adopt");
  await at.service.ingest("web", [{ n: 1 }]);
  await expect(at.up({ web: web({ adopt: true, description: "b", retentionDays: 3 }) })).rejects.toThrow(
    "differs from its declaration in description, retentionDays",
  );
  const twice = { one: web({ adopt: true }), two: web({ adopt: true }) };
  await expect(at.up(twice)).rejects.toThrow("another resource of this update already has");
});

test.each([
  ["a generated name", {}, "2020-01-01T00:00:00Z", true],
  ["a chosen name and a creation in this minute", { name: "web" }, undefined, true],
  ["a chosen name and an earlier creation", { name: "web" }, "2026-11-21T11:00:00Z", false],
])("a create whose response is lost finds its dataset by %s: %s", async (_, args, time, isFound) => {
  let name = "";
  await using at = await beginScript("extended", (...request) => {
    const [, { call, body }] = request;
    if (call === "GET /v2/datasets") return json(200, [])(...request);
    if (call.startsWith("POST")) name = JSON.parse(body).name;
    const live = { id: name, name, created: time ?? at.clock.now().toISOString() };
    return (call.startsWith("POST") ? hangUp : json(200, live))(...request);
  });
  const creating = at.up({ web: dataset(args) });
  if (!isFound) await expect(creating).rejects.toThrow("may exist; the request was not sent again");
  await creating.catch(() => undefined);
  expect(at.stack.resources.map(({ id }) => id)).toEqual(isFound ? [name] : []);
  expect(at.service.calls.filter((call) => call.startsWith("POST"))).toHaveLength(1);
});

const malformed = "name must be 1 to 128 ASCII letters, digits and hyphens, and must not begin with axiom-";
test.each([
  [{ name: "axiom-web" }, malformed],
  [{ name: "a b" }, malformed],
  [{ retentionDays: 0 }, "retentionDays must be a whole number of days, at least 1"],
  [{ kind: "logs" }, "kind must be one of axiom:events:v1, otel:logs:v1, otel:traces:v1, otel:metrics:v1"],
  [
    { name: secret("web") },
    "name is secret, but it is the id of the dataset, which Pulumi shows: declare it in plain text",
  ],
  [{ adopt: true }, "name is missing: with adopt, declare the name of the dataset"],
])("%j is refused", async (args, failure) => {
  await using at = await beginEmpty();
  expect((await at.run({ command: "preview", program: { web: dataset(args) } })).failures).toEqual([failure]);
});

test("a generated name fits the service, and stays", async () => {
  await using at = await beginEmpty();
  const program = { "Web events!": dataset() };
  await at.up(program);
  expect(at.id("Web events!")).toMatch(/^Web-events-[0-9a-f]{7}$/);
  expect((await at.up(program)).found["Web events!"]).toEqual(unchanged);
});

test("the documented profile is refused at check, in one sentence", async () => {
  await using at = await begin("documented");
  const { failures } = await at.run({ command: "preview", program: { web: web({ description: "a" }) } });
  expect(failures).toEqual([
    expect.stringMatching(/^Dataset needs the profile "extended": set .* to "extended"[^;]*$/),
  ]);
});

test("two resources with the same name are refused in the preview", async () => {
  await using at = await beginFull();
  const { failures } = await at.run({ command: "preview", program: { web: web(), b: web() } });
  expect(failures).toEqual(["name belongs to a dataset that another resource of this update already has"]);
});
