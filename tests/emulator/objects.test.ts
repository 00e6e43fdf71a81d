import { expect, test } from "@jest/globals";
import type { Profile } from "../../emulator";
import { openForTests } from "../support/suite";
import { call, mintedWith, start } from "./harness";

const emulators = { documented: openForTests(start), extended: openForTests(() => start({ profile: "extended" })) };

const note = { datasets: ["logs"], type: "deploy", time: "2026-01-01T00:00:00Z" };
const fullToken = {
  name: "ci",
  description: "for the pipeline",
  expiresAt: "2030-01-31T12:00:00Z",
  datasetCapabilities: { logs: { ingest: ["create"] } },
  orgCapabilities: { annotations: ["create"], apiTokens: ["create", "read"] },
};
const fullNote = { ...note, title: "Deployed", description: "v2", endTime: note.time, url: "https://example.com/1" };
const tokenIds = { id: expect.stringMatching(/^[0-9a-f]{24}$/), token: expect.stringMatching(/^xaat-[0-9a-f-]{36}$/) };

test.each([
  ["tokens", 200, fullToken, tokenIds],
  ["annotations", 201, fullNote, { id: expect.stringMatching(/^ann_[0-9a-f]{24}$/) }],
])(
  "creating one of the %s returns %i, its fields, its id and, only this time, its secret",
  async (path, status, body, more) => {
    const made = await call(emulators.documented.url, `POST /v2/${path}`, { body });
    expect(made).toMatchObject({
      status,
      headers: { "content-type": "application/json", "cache-control": "no-store" },
    });
    expect(made.body).toEqual({ ...body, ...more });
  },
);

test("a token's expiry is shown in UTC, regardless of its zone in the request", async () => {
  const body = { name: "ci", expiresAt: "2030-01-01T01:30:00.250+02:00" };
  const made = await call(emulators.documented.url, "POST /v2/tokens", { body });
  expect(made.body.expiresAt).toBe("2029-12-31T23:30:00.250Z");
});

const canary = "canary-0123456789abcdef";
const noInstant = "must be an RFC 3339 date and time with a zone, such as 2027-01-31T12:00:00Z";
const noCapability = "at least one capability must be set";
const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;

test.each<readonly [profile: Profile, path: string, message: string, body: unknown]>([
  ["documented", "tokens", "name: is required", {}],
  ["documented", "tokens", "name: must not be empty", { name: "" }],
  ["documented", "tokens", "name: must be a string", { name: 5 }],
  ["documented", "tokens", `expiresAt: ${noInstant}`, { name: "ci", expiresAt: canary }],
  ["documented", "tokens", `expiresAt: ${noInstant}`, { name: "ci", expiresAt: "2026-02-30T00:00:00Z" }],
  ["documented", "tokens", `expiresAt: ${noInstant}`, { name: "ci", expiresAt: "2026-02-01" }],
  ["documented", "tokens", "orgCapabilities: must be an object", { name: "ci", orgCapabilities: "all" }],
  [
    "documented",
    "tokens",
    "orgCapabilities.views: there is no such field",
    { name: "ci", orgCapabilities: { views: [] } },
  ],
  [
    "documented",
    "tokens",
    "orgCapabilities.users: must be an array",
    { name: "ci", orgCapabilities: { users: canary } },
  ],
  [
    "documented",
    "tokens",
    "orgCapabilities.users[0]: must be a string",
    { name: "ci", orgCapabilities: { users: [1] } },
  ],
  ["documented", "tokens", "token: there is no such field", { name: "ci", token: canary }],
  ["documented", "tokens", "__proto__: there is no such field", '{"name":"ci","__proto__":{}}'],
  ["documented", "tokens", "a\\r\\nb: there is no such field", { name: "ci", "a\r\nb": 1 }],
  ["documented", "tokens", "the body must be a JSON object", []],
  ["documented", "tokens", "the body is not valid JSON", `{"name":"${canary}`],
  ["documented", "tokens", "the body is nested too deeply", `{"name":"ci","datasetCapabilities":${deep}}`],
  ["documented", "annotations", "datasets: must be an array", { datasets: "logs" }],
  ["documented", "annotations", "datasets[1]: must be a string", { datasets: ["logs", 1] }],
  ["documented", "annotations", `time: ${noInstant}`, { time: "yesterday" }],
  ["documented", "annotations", "color: there is no such field", { color: "red" }],
  ["extended", "annotations", "datasets: is required", { type: "deploy" }],
  ["extended", "annotations", "type: is required", { datasets: ["logs"] }],
  ["extended", "annotations", "datasets: must have at least 1 element", { ...note, datasets: [] }],
  ["extended", "annotations", "type: must match ^[a-z0-9-]+$", { ...note, type: "Deploy" }],
  ["extended", "tokens", noCapability, { name: "ci", orgCapabilities: { datasets: [], apiTokens: [] } }],
  ["extended", "tokens", noCapability, { name: "ci", datasetCapabilities: { web: { query: [] } } }],
  ["extended", "tokens", noCapability, { name: "ci", datasetCapabilities: null, orgCapabilities: {} }],
])("%s, %s: a 400 says %s, and quotes no value", async (profile, path, message, body) => {
  const { url, tokens, annotations } = emulators[profile];
  const stored = () => [...tokens.list(), ...annotations.list()].length;
  const before = stored();
  const answer = await call(url, `POST /v2/${path}`, { body });
  expect(answer).toMatchObject({ status: 400, body: { code: 400, message } });
  expect(JSON.stringify(answer.body)).not.toContain(canary);
  expect(stored()).toBe(before);
  // The limits of the extended profile are not documented.
  if (profile === "extended")
    expect((await call(emulators.documented.url, `POST /v2/${path}`, { body })).status).toBeLessThan(300);
});

test("names of datasets that mean something to JavaScript are names like any other", async () => {
  const { url } = emulators.documented;
  const body = '{"name":"ci","datasetCapabilities":{"__proto__":{"query":["read"]},"constructor":{}}}';
  const { id } = (await call(url, "POST /v2/tokens", { body })).body;
  const { body: token } = await call(url, `GET /v2/tokens/${id}`);
  expect(Object.keys(token.datasetCapabilities)).toEqual(["__proto__", "constructor"]);
});

test("regenerating creates a new token like the old one, which stays valid until the given time", async () => {
  let now = new Date("2026-01-01T00:00:00Z");
  await using emulator = await start({ profile: "extended", now: () => now });
  const spec = { name: "ci", orgCapabilities: { apiTokens: ["read"] } };
  const old = (await call(emulator.url, "POST /v2/tokens", { body: spec })).body;
  const body = { existingTokenExpiresAt: "2026-01-02T00:00:00Z", newTokenExpiresAt: "2026-02-01T01:00:00+01:00" };
  const answer = await call(emulator.url, `POST /v2/tokens/${old.id}/regenerate`, { body });
  expect(answer).toMatchObject({ status: 200, body: { ...spec, ...tokenIds, expiresAt: "2026-02-01T00:00:00Z" } });
  expect(answer.body.id).not.toBe(old.id);
  expect((await call(emulator.url, `GET /v2/tokens/${old.id}`)).body.expiresAt).toBe("2026-01-02T00:00:00Z");

  const outcomeOf = (token: string) => call(emulator.url, "GET /v2/tokens", { token });
  now = new Date("2026-01-01T23:59:59.999Z");
  for (const { token } of [old, answer.body]) expect((await outcomeOf(token)).status).toBe(200);
  now = new Date("2026-01-02T00:00:00Z");
  expect(await outcomeOf(old.token)).toMatchObject({ status: 401, body: { message: "the token has expired" } });
  expect((await outcomeOf(answer.body.token)).status).toBe(200);
});

const zeroTime = "0001-01-01T00:00:00Z";

test.each([zeroTime, null])("an expiry of %j means none, also after a regeneration", async (expiresAt) => {
  const { url } = emulators.extended;
  const body = { name: "ci", expiresAt, orgCapabilities: { apiTokens: ["read"] } };
  const made = (await call(url, "POST /v2/tokens", { body })).body;
  const works = async (token: string) => (await call(url, "GET /v2/tokens", { token })).status === 200;
  expect(await works(made.token)).toBe(true);
  const times = { existingTokenExpiresAt: "2020-01-01T00:00:00Z", newTokenExpiresAt: zeroTime };
  const next = (await call(url, `POST /v2/tokens/${made.id}/regenerate`, { body: times })).body;
  expect([await works(made.token), await works(next.token)]).toEqual([false, true]);
});

test("an annotation can be read, changed and deleted", async () => {
  const { url } = emulators.extended;
  const ranged = { ...note, endTime: "2026-01-01T00:05:00Z" };
  const { id } = (await call(url, "POST /v2/annotations", { body: ranged })).body;
  const path = `/v2/annotations/${id}`;
  expect(await call(url, `GET ${path}`)).toMatchObject({ status: 200, body: { id, ...ranged } });
  // A PUT can't clear the end: null means that it is not set in this request.
  const changed = await call(url, `PUT ${path}`, { body: { title: "Deployed", endTime: null } });
  expect([changed.status, changed.body]).toEqual([200, { id, ...ranged, title: "Deployed" }]);
  expect((await call(url, `GET ${path}`)).body).toEqual(changed.body);
  expect(await call(url, `DELETE ${path}`)).toMatchObject({ status: 204, body: undefined });
  for (const method of ["GET", "PUT", "DELETE"])
    expect(await call(url, `${method} ${path}`, { body: {} })).toMatchObject({
      status: 404,
      body: { message: "there is no such annotation" },
    });
});

test("annotations are listed by dataset and by time, ranges included", async () => {
  await using emulator = await start({ profile: "extended" });
  const create = async (datasets: string[], day: number, endDay?: number) => {
    const dayOf = (n: number) => `2026-01-0${n}T00:00:00Z`;
    const body = { datasets, type: "deploy", time: dayOf(day), ...(endDay && { endTime: dayOf(endDay) }) };
    return (await call(emulator.url, "POST /v2/annotations", { body })).body.id;
  };
  const early = await create(["logs"], 1);
  const range = await create(["logs", "traces"], 1, 3);
  const late = await create(["metrics"], 3);
  for (const [query, ids] of [
    ["", [early, range, late]],
    ["datasets=logs", [early, range]],
    ["datasets=traces,metrics", [range, late]],
    ["datasets[0]=traces&datasets[1]=metrics", [range, late]],
    ["datasets%5B%5D=logs", [early, range]],
    ["start=2026-01-02T00:00:00Z", [range, late]],
    ["start=2026-01-02T00:00:00Z&end=2026-01-02T12:00:00Z&datasets=", [range]],
    ["end=2026-01-01T02:00:00%2B02:00", [early, range]],
  ] as const) {
    const { body } = await call(emulator.url, `GET /v2/annotations?${query}`);
    expect([query, body.map((annotation: { id: string }) => annotation.id)]).toEqual([query, ids]);
  }
  const wrong = await call(emulator.url, "GET /v2/annotations?start=yesterday");
  expect(wrong).toMatchObject({ status: 400, body: { message: `start: ${noInstant}` } });
});

test("objects can be changed and removed without a request", async () => {
  await using emulator = await start({ profile: "extended" });
  const token = await mintedWith(emulator.url, { apiTokens: ["read"] });
  const id = emulator.tokens.list()[0]?.id ?? "";
  await emulator.tokens.change(id, { description: "changed", futureField: 1 });
  const read = await call(emulator.url, `GET /v2/tokens/${id}`, { token });
  expect(read.body).toMatchObject({ id, name: "caller", description: "changed", futureField: 1 });
  await emulator.tokens.change(id, { expiresAt: "2020-01-01T00:00:00Z" });
  expect((await call(emulator.url, "GET /v2/tokens", { token })).status).toBe(401);
  await expect(emulator.tokens.change(id, { token: "x" })).rejects.toThrow("token: cannot be changed");
  await emulator.tokens.remove(id);
  expect((await call(emulator.url, `GET /v2/tokens/${id}`)).status).toBe(404);
  await expect(emulator.tokens.remove(id)).rejects.toThrow("there is no such token");
  await expect(emulator.tokens.change(id, {})).rejects.toThrow("there is no such token");

  const made = (await call(emulator.url, "POST /v2/annotations", { body: { datasets: ["a"], type: "b" } })).body;
  await emulator.annotations.change(made.id, { title: "changed" });
  expect((await call(emulator.url, `GET /v2/annotations/${made.id}`)).body.title).toBe("changed");
});
