import { beforeEach, expect, test } from "@jest/globals";
import { openForTests } from "../support/suite";
import { apl, call, countOf, start } from "./harness";

const now = () => new Date("2026-11-21T12:00:00Z");
const instant = now().toISOString();

const emulator = openForTests(() => start({ profile: "extended", now }));
let count = 0;
/** A new dataset for each test. */
let name = "";
beforeEach(() => {
  count += 1;
  name = `set-${count}`;
});

const send = (line: string, body?: unknown, more = {}) => call(emulator.url, line, { body, ...more });
const create = (body: object = {}) => send("POST /v2/datasets", { name, ...body });

test("a created dataset has its name as its id, the defaults of the service, and no events", async () => {
  const made = await create({ description: "text", kind: "otel:logs:v1" });
  const shown = {
    id: name,
    name,
    description: "text",
    kind: "otel:logs:v1",
    edgeDeployment: "cloud.us-east-1.aws",
    created: instant,
    updatedAt: instant,
    who: "root",
    useRetentionPeriod: false,
    canWrite: true,
    mapFields: [],
  };
  expect(made).toMatchObject({ status: 200, body: shown });
  expect((await send(`GET /v2/datasets/${name}`)).body).toEqual(shown);
  expect((await send("GET /v2/datasets")).body).toContainEqual(shown);
  expect(emulator.datasets.list()).toContainEqual(shown);
  expect(await countOf(emulator, name)).toBe(0);
});

test("a name that exists is refused, and nothing changes", async () => {
  await create({ description: "first" });
  await emulator.ingest(name, [{ n: 1 }]);
  expect(await create({ description: "second" })).toMatchObject({ status: 409 });
  expect((await send(`GET /v2/datasets/${name}`)).body.description).toBe("first");
  expect(await countOf(emulator, name)).toBe(1);
});

test.each([
  [{ name: "" }, "name: must match"],
  [{ name: "axiom-web" }, "name: must match"],
  [{ name: "a b" }, "name: must match"],
  [{ name: "a".repeat(129) }, "name: must not be longer than 128 characters"],
  [{ kind: "logs" }, "kind: must be one of axiom:events:v1, otel:logs:v1, otel:traces:v1, otel:metrics:v1"],
  [{ retentionDays: -1 }, "retentionDays: must not be negative"],
  [{ retentionDays: 1.5 }, "retentionDays: must be a whole number"],
  [{ id: "web" }, "id: there is no such field"],
])("%j is refused", async (body, message) => {
  expect(await create(body)).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
});

test("an update changes the given fields", async () => {
  await create({ description: "first" });
  const changed = await send(`PUT /v2/datasets/${name}`, { retentionDays: 30, useRetentionPeriod: true });
  expect(changed).toMatchObject({ status: 200, body: { description: "first", retentionDays: 30 } });
  expect((await send(`PUT /v2/datasets/${name}`, { description: "next" })).body.retentionDays).toBe(30);
  expect(await send(`PUT /v2/datasets/${name}`, { kind: "otel:logs:v1" })).toMatchObject({ status: 400 });
  expect(await send("PUT /v2/datasets/other", {})).toMatchObject({ status: 404 });
});

test("a retention deletes older events", async () => {
  await emulator.ingest(name, [{ _time: "2026-11-01T00:00:00Z" }, { _time: "2026-11-20T00:00:00Z" }]);
  await send(`PUT /v2/datasets/${name}`, { retentionDays: 7, useRetentionPeriod: false });
  expect(await countOf(emulator, name)).toBe(2);
  await send(`PUT /v2/datasets/${name}`, { useRetentionPeriod: true });
  expect(await countOf(emulator, name)).toBe(1);
});

test("trimming deletes events that are older than a duration", async () => {
  await emulator.ingest(name, [{ _time: "2026-11-01T00:00:00Z" }, { _time: "2026-11-20T00:00:00Z" }]);
  expect(await send(`POST /v2/datasets/${name}/trim`, { maxDuration: "72h0m0s" })).toMatchObject({ status: 200 });
  expect(await countOf(emulator, name)).toBe(1);
  expect(await send(`POST /v2/datasets/${name}/trim`, { maxDuration: "long" })).toMatchObject({ status: 400 });
});

test("a deleted dataset is gone with its events, and one of the same name begins empty", async () => {
  await emulator.ingest(name, [{ n: 1 }, { n: 2, other: "field" }]);
  expect(await send(`DELETE /v2/datasets/${name}`)).toMatchObject({ status: 204 });
  expect(await send(`GET /v2/datasets/${name}`)).toMatchObject({ status: 404 });
  expect(await send(`DELETE /v2/datasets/${name}`)).toMatchObject({ status: 404 });
  expect(await apl(emulator, `['${name}'] | count`)).toMatchObject({ status: 404 });
  await create();
  expect(await countOf(emulator, name)).toBe(0);
  await emulator.ingest(name, [{ n: "text" }]);
  expect(await countOf(emulator, name)).toBe(1);
});

test("a dataset that events made is listed as created then", async () => {
  await emulator.ingest(name, [{ n: 1 }]);
  expect((await send(`GET /v2/datasets/${name}`)).body).toMatchObject({ created: instant, who: "root" });
});

test("map fields are added, replaced and removed", async () => {
  await create();
  const path = `/v2/datasets/${name}/mapfields`;
  expect((await send(`POST ${path}`, { name: "tags" })).body).toEqual({ name: "tags" });
  expect((await send(`GET ${path}`)).body).toEqual(["tags"]);
  expect((await send(`PUT ${path}`, ["a", "b"])).body).toEqual(["a", "b"]);
  expect((await send(`DELETE ${path}/a`)).status).toBe(204);
  expect((await send(`DELETE ${path}/a`)).status).toBe(404);
  expect((await send(`GET /v2/datasets/${name}`)).body.mapFields).toEqual(["b"]);
  expect(await send(`PUT ${path}`, { a: 1 })).toMatchObject({ status: 400 });
});

test("older paths of clients lead to the same datasets", async () => {
  await send("POST /v1/datasets", { name, description: "text" });
  expect((await send(`GET /v2/datasets/${name}`)).body.description).toBe("text");
  expect((await send(`DELETE /v1/datasets/${name}`)).status).toBe(204);
});

test("the documented profile has no requests for datasets", async () => {
  await using documented = await start();
  expect(await call(documented.url, "GET /v2/datasets")).toMatchObject({ status: 404 });
});

test("a test changes and removes a dataset outside of the program", async () => {
  await emulator.ingest(name, [{ n: 1 }]);
  await emulator.datasets.change(name, { description: "changed" });
  expect((await send(`GET /v2/datasets/${name}`)).body.description).toBe("changed");
  await emulator.datasets.remove(name);
  expect(await send(`GET /v2/datasets/${name}`)).toMatchObject({ status: 404 });
  expect(await apl(emulator, `['${name}'] | count`)).toMatchObject({ status: 404 });
});

test("the page's list has events, size and the last event of each dataset", async () => {
  await create({ description: "empty" });
  const full = `${name}-full`;
  await emulator.ingest(full, [{ _time: "2026-11-20T00:00:00Z", n: 1 }, { _time: "2026-11-01T00:00:00Z" }]);
  const { body } = await send("GET /_page/datasets");
  const listed = (body as { shown: { id: string } }[]).filter(({ shown }) => shown.id.startsWith(name));
  expect(listed).toEqual([
    { name, shown: expect.objectContaining({ id: name }), events: 0, bytes: 0 },
    { name: full, shown: expect.anything(), events: 2, bytes: expect.any(Number), last: "2026-11-20T00:00:00Z" },
  ]);
});

test("datasets and their events outlive a restart", async () => {
  await using first = await start({ profile: "extended" });
  await first.ingest("kept", [{ n: 1 }]);
  await call(first.url, "POST /v2/datasets", { body: { name: "empty" } });
  const before = (await call(first.url, "GET /v2/datasets")).body;
  await first.close();
  await using second = await start({ profile: "extended", dataDir: first.dataDir });
  expect((await call(second.url, "GET /v2/datasets")).body).toEqual(before);
  expect(await countOf(second, "kept")).toBe(1);
  expect(await countOf(second, "empty")).toBe(0);
});
