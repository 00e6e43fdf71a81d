import { expect, test } from "@jest/globals";
import type { Bag } from "../../framework/lifecycle";
import type { DatasetInputs, DatasetState } from "../../provider/nouns/dataset/definition";
import { dataset, hostedDataset } from "../../provider/nouns/dataset/lifecycle";
import { hangUp, json } from "../support/service";
import { beginScript, checkWith, findReasons, planOf, testTime } from "../support/session";
import { begin, created, createFull, diff, web, writes } from "./datasetWorld";

const extended = planOf("extended");

test("a created dataset is recorded with the time that proves which one it is, and with what the service chose", async () => {
  await using at = await begin();
  const { id, state } = await dataset.create(at.session, { ...web, description: "Requests", retentionDays: 30 });
  expect(id).toBe("web");
  expect(state).toMatchObject({ description: "Requests", retentionDays: 30, createdAt: created, who: "root" });
  expect(state).toMatchObject({ kind: "axiom:events:v1", edgeDeployment: "cloud.us-east-1.aws" });
  expect(at.service.datasets.list()).toMatchObject([{ name: "web", retentionDays: 30, useRetentionPeriod: true }]);
  expect(diff(state, { ...web, description: "Requests", retentionDays: 30 })).toMatchObject({ changes: false });
  expect(await dataset.read(at.session, id, state)).toEqual({ state });
});

test("without retentionDays nothing is sent about the retention", async () => {
  await using at = await beginScript("extended", json(200, { id: "web", name: "web", created }), json(200, []));
  await dataset.create(at.session, web);
  expect(at.service.requests[0]?.body).toBe('{"name":"web"}');
});

test("a description and a longer retention change in place", async () => {
  await using at = await createFull({ ...web, description: "a", retentionDays: 30 });
  const next = { ...web, description: "b", retentionDays: 60 };
  expect(diff(at.state, next)).toMatchObject({ changes: true, replaces: [], notice: undefined });
  const state = await dataset.update(at.session, at.id, at.state, next);
  expect(at.service.datasets.list()).toMatchObject([{ description: "b", retentionDays: 60 }]);
  expect(state).toMatchObject({ description: "b", retentionDays: 60, createdAt: created, kind: "axiom:events:v1" });
  expect(diff(state, next).changes).toBe(false);
  const last = await dataset.update(at.session, at.id, state, { ...web, retentionDays: 60 });
  expect(at.service.datasets.list()).toMatchObject([{ description: "" }]);
  expect(diff(last, { ...web, retentionDays: 60 }).changes).toBe(false);
});

test("an update sends what it does not change, too: a service that resets what is left out would delete events", async () => {
  const live = { id: "web", name: "web", created, description: "a", retentionDays: 30, useRetentionPeriod: true };
  await using at = await beginScript(
    "extended",
    json(200, live),
    json(200, { ...live, description: "b" }),
    json(200, []),
  );
  const state = { ...web, description: "a", retentionDays: 30, createdAt: created, record: {} } as DatasetState;
  await dataset.update(at.session, "web", state, { ...web, description: "b", retentionDays: 30 });
  const sent = at.service.requests.find(({ call }) => call.startsWith("PUT"));
  expect(JSON.parse(sent?.body ?? "")).toEqual({ description: "b", retentionDays: 30, useRetentionPeriod: true });
});

test("another kind or edge deployment replaces a dataset with a generated name, and the notice says that the old one stays", async () => {
  await using at = await createFull({ key: "web", name: "web-1a2b3c4" });
  for (const change of [{ kind: "otel:logs:v1" }, { edgeDeployment: "cloud.eu-central-1.aws" }] as const) {
    const [field = ""] = Object.keys(change);
    const planned = dataset.diff(at.id, at.state, { key: "web", name: "web-1a2b3c4", ...change }, extended);
    expect(planned).toMatchObject({ changes: true, replaces: [field] });
    expect(planned.notice).toBe(`dataset web-1a2b3c4 will be replaced (${field}). The old one stays with its events.`);
  }
});

test("a kind and an edge deployment that are no longer declared stay as they are", async () => {
  const declared = { ...web, kind: "otel:logs:v1", edgeDeployment: "cloud.eu-central-1.aws" } as const;
  await using at = await createFull(declared);
  expect(diff(at.state, web)).toMatchObject({ changes: false, replaces: [] });
});

test("a dataset that somebody deleted is gone for a read, once the service cannot show it late any more", async () => {
  await using at = await createFull();
  await at.service.datasets.remove("web");
  await expect(dataset.read(at.session, at.id, at.state)).rejects.toThrow("created only minutes ago");
  const later = { ...at.session, now: () => new Date(testTime.getTime() + 600_000) };
  expect(await dataset.read(later, at.id, at.state)).toBeUndefined();
});

test("drift shows in a refresh, and the next update puts it back", async () => {
  await using at = await createFull({ ...web, description: "a" });
  await at.service.datasets.change("web", { description: "Mine" });
  const found = await dataset.read(at.session, at.id, at.state);
  expect(found?.inputs).toMatchObject({ name: "web", description: "Mine" });
  const state = found?.state as DatasetState;
  expect(diff(state, { ...web, description: "a" })).toMatchObject({ changes: true, replaces: [] });
  await dataset.update(at.session, at.id, state, { ...web, description: "a" });
  expect(at.service.datasets.list()).toMatchObject([{ description: "a" }]);
});

test("adopt takes an existing dataset over as it is declared, and borrows it", async () => {
  await using at = await begin();
  await at.service.ingest("web", [{ n: 1 }]);
  const adopting = { ...web, adopt: true };
  const { id, state } = await dataset.create(at.session, adopting);
  expect([id, writes(at)]).toEqual(["web", []]);
  expect(state).toMatchObject({ createdAt: created, adopt: true, kind: "axiom:events:v1" });
  const other = { ...adopting, description: "b" };
  expect(diff(state, other)).toMatchObject({ changes: false, notice: expect.stringContaining("is only borrowed") });
  expect(() => diff(state, { ...adopting, name: "other" })).toThrow("adopt names another dataset");
  // Once the line goes it is owned.
  expect(diff(state, { ...web, description: "b" })).toMatchObject({ changes: true, replaces: [] });
  await dataset.update(at.session, id, state, { ...web, description: "b" });
  expect(at.service.datasets.list()).toMatchObject([{ description: "b" }]);
});

test("adopt is refused for a dataset that is not there, that differs, or that another resource has", async () => {
  await using at = await begin();
  const adopting = { ...web, adopt: true };
  await expect(dataset.create(at.session, adopting)).rejects.toThrow("there is no dataset web to adopt");
  await at.service.ingest("web", [{ n: 1 }]);
  const differs = dataset.create(at.session, { ...adopting, description: "b", retentionDays: 3 });
  await expect(differs).rejects.toThrow("differs from what is declared in description, retentionDays");
  const taken = dataset.create({ ...at.session, claim: () => false }, adopting);
  await expect(taken).rejects.toThrow("another resource of this update has it");
});

test.each([
  ["a generated name", { key: "web", name: "web-1a2b3c4" }, "2020-01-01T00:00:00Z", true],
  ["a chosen name and a creation in this minute", web, created, true],
  ["a chosen name and an earlier creation", web, "2026-11-21T11:00:00Z", false],
])("a create whose response is lost finds its dataset by %s: %s", async (_, inputs, time, isFound) => {
  const live = json(200, { id: inputs.name, name: inputs.name, created: time });
  await using at = await beginScript("extended", hangUp, live, json(200, []));
  const creating = dataset.create(at.session, inputs as DatasetInputs);
  if (isFound) expect((await creating).state).toMatchObject({ createdAt: time });
  else await expect(creating).rejects.toThrow("may exist; the request was not sent again");
  expect(at.service.calls.filter((call) => call.startsWith("POST"))).toHaveLength(1);
});

test.each([
  [{ name: "axiom-web" }, ["name must be 1 to 128 ASCII letters, digits and hyphens, and must not begin with axiom-"]],
  [{ name: "a b" }, ["name must be 1 to 128 ASCII letters, digits and hyphens, and must not begin with axiom-"]],
  [{ retentionDays: 0 }, ["retentionDays must be a whole number of days, at least 1"]],
  [{ kind: "logs" }, ["kind must be one of axiom:events:v1, otel:logs:v1, otel:traces:v1, otel:metrics:v1"]],
  [
    { name: "web", secretInputs: ["name"] },
    ["name is secret, but it is the id of the dataset, which Pulumi shows: declare it in plain text"],
  ],
  [{ adopt: true }, ["name is missing: with adopt, declare the name of the dataset"]],
])("%j is refused", (args, failures) => {
  expect(checkWith(hostedDataset, { key: "web", ...args }, { profile: "extended" }).failures).toEqual(failures);
});

test("a generated name fits the service, and stays", () => {
  const first = checkWith(hostedDataset, { key: "Web events!" }, { profile: "extended" });
  expect([first.failures, (first.inputs as Bag).name]).toEqual([[], expect.stringMatching(/^Web-events-[0-9a-f]{7}$/)]);
  const next = checkWith(hostedDataset, { key: "Web events!" }, { profile: "extended", olds: first.inputs });
  expect((next.inputs as Bag).name).toBe((first.inputs as Bag).name);
});

test("the documented profile is refused at check, in one sentence", async () => {
  const [reason, ...more] = await findReasons(
    hostedDataset,
    { key: "web", name: "web", description: "a" },
    "documented",
  );
  expect(more).toEqual([]);
  expect(reason).toMatch(/^Dataset needs the profile "extended": set .* to "extended"/);
});

test("two resources with the same name are refused in the preview", async () => {
  const plan = { claim: () => false, profile: "extended" } as const;
  const { failures } = checkWith(hostedDataset, { key: "b", name: "web" }, plan);
  expect(failures).toEqual(["name names a dataset that another resource of this update has"]);
});
