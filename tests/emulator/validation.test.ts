import { describe, expect, test } from "@jest/globals";
import { call, start } from "./harness";

const canary = "canary-0123456789abcdef";

describe("an invalid field is a 400 that names the field and does not quote its value", () => {
  test.each<[path: string, body: unknown, message: RegExp]>([
    ["tokens", {}, /^name: is required$/],
    ["tokens", { name: "" }, /^name: must not be empty$/],
    ["tokens", { name: 5 }, /^name: must be a string$/],
    ["tokens", { name: "ci", expiresAt: canary }, /^expiresAt: must be an RFC 3339/],
    ["tokens", { name: "ci", expiresAt: "2026-02-30T00:00:00Z" }, /^expiresAt: /],
    ["tokens", { name: "ci", expiresAt: "2026-02-01" }, /^expiresAt: /],
    ["tokens", { name: "ci", orgCapabilities: "all" }, /^orgCapabilities: must be an object$/],
    ["tokens", { name: "ci", orgCapabilities: { views: [] } }, /^orgCapabilities\.views: there is no such field$/],
    ["tokens", { name: "ci", orgCapabilities: { users: canary } }, /^orgCapabilities\.users: must be an array$/],
    ["tokens", { name: "ci", orgCapabilities: { users: [1] } }, /^orgCapabilities\.users\[0\]: must be a string$/],
    ["tokens", { name: "ci", token: canary }, /^token: there is no such field$/],
    ["tokens", '{"name":"ci","__proto__":{}}', /^__proto__: there is no such field$/],
    ["tokens", '{"name":"ci","orgCapabilities":{"constructor":[]}}', /^orgCapabilities\.constructor: there is no such/],
    ["tokens", { name: "ci", "a\r\nb": 1 }, /^a\\r\\nb: there is no such field$/],
    ["tokens", [], /^the body must be a JSON object$/],
    ["tokens", `{"name":"${canary}`, /^the body is not valid JSON$/],
    ["annotations", { datasets: "logs" }, /^datasets: must be an array$/],
    ["annotations", { datasets: ["logs", 1] }, /^datasets\[1\]: must be a string$/],
    ["annotations", { time: "yesterday" }, /^time: must be an RFC 3339/],
    ["annotations", { color: "red" }, /^color: there is no such field$/],
  ])("%s %j", async (path, body, message) => {
    await using emulator = await start();
    const answer = await call(emulator.url, `POST /v2/${path}`, { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 400, message: expect.stringMatching(message) } });
    expect(JSON.stringify(answer.body)).not.toContain(canary);
    expect([...emulator.tokens.list(), ...emulator.annotations.list()]).toEqual([]);
  });
});

test("names of datasets that mean something to JavaScript are names like any other", async () => {
  await using emulator = await start();
  const body = '{"name":"ci","datasetCapabilities":{"__proto__":{"query":["read"]},"constructor":{}}}';
  const { id } = (await call(emulator.url, "POST /v2/tokens", { body })).body;
  const { body: token } = await call(emulator.url, `GET /v2/tokens/${id}`);
  expect(Object.keys(token.datasetCapabilities)).toEqual(["__proto__", "constructor"]);
});

test("a body that is nested too deeply to be stored is refused, and the next write works", async () => {
  await using emulator = await start();
  const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
  const refused = await call(emulator.url, "POST /v2/tokens", { body: `{"name":"ci","datasetCapabilities":${deep}}` });
  expect(refused).toMatchObject({ status: 400, body: { message: "the body is nested too deeply" } });
  expect((await call(emulator.url, "POST /v2/tokens", { body: { name: "ci" } })).status).toBe(200);
});
