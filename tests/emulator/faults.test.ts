import { describe, expect, test } from "@jest/globals";
import type { Fault } from "../../emulator";
import { call, mintedWith, rootToken, send, start } from "./harness";

const create = { body: { name: "ci" } };
const faultOf = (action: Fault["action"], times?: number): Fault => ({
  method: "POST",
  path: "/v2/tokens",
  action,
  ...(times && { times }),
});

test("a status is answered in place of the service, which does not see the request", async () => {
  await using emulator = await start();
  emulator.inject(faultOf({ kind: "status", status: 503, headers: { "Retry-After": "2" }, body: { message: "busy" } }));
  const answer = await call(emulator.url, "POST /v2/tokens", create);
  expect(answer).toMatchObject({ status: 503, headers: { "retry-after": "2" }, body: { message: "busy" } });
  expect(emulator.tokens.list()).toEqual([]);
  expect(emulator.calls).toEqual([{ method: "POST", path: "/v2/tokens", status: 503 }]);
  expect((await call(emulator.url, "POST /v2/tokens", create)).status).toBe(200);
});

test("a status or a web page can also hide a request that was carried out", async () => {
  await using emulator = await start();
  emulator.inject(faultOf({ kind: "status", status: 504, carriedOut: true }));
  emulator.inject(faultOf({ kind: "html", carriedOut: true }));
  emulator.inject(faultOf({ kind: "html" }));
  expect(await call(emulator.url, "POST /v2/tokens", create)).toMatchObject({ status: 504, body: undefined });
  for (let page = 0; page < 2; page++) {
    const answer = await call(emulator.url, "POST /v2/tokens", create);
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": "text/html" } });
    expect(answer.body).toMatch(/^<!doctype html>/);
  }
  expect(emulator.tokens.list()).toHaveLength(2);
});

test("the content type of an answer can be wrong", async () => {
  await using emulator = await start();
  emulator.inject(faultOf({ kind: "status", status: 200, headers: { "Content-Type": "text/plain" }, body: {} }));
  expect((await call(emulator.url, "POST /v2/tokens", create)).headers["content-type"]).toBe("text/plain");
});

test("a connection closed before the answer loses the answer and not the token", async () => {
  await using emulator = await start();
  emulator.inject(faultOf({ kind: "close-before-answer" }));
  await expect(call(emulator.url, "POST /v2/tokens", create)).rejects.toThrow("socket hang up");
  expect(emulator.tokens.list()).toHaveLength(1);
  expect(emulator.calls).toEqual([{ method: "POST", path: "/v2/tokens", status: undefined }]);
});

test("a reset comes before the request is carried out", async () => {
  await using emulator = await start();
  emulator.inject(faultOf({ kind: "reset" }));
  await expect(call(emulator.url, "POST /v2/tokens", create)).rejects.toThrow("ECONNRESET");
  expect(emulator.tokens.list()).toEqual([]);
});

test("a late answer is complete, and the token is there before it", async () => {
  await using emulator = await start();
  emulator.inject(faultOf({ kind: "delay", ms: 500 }));
  let answered = false;
  const answer = call(emulator.url, "POST /v2/tokens", create).finally(() => {
    answered = true;
  });
  while (emulator.tokens.list().length === 0) await call(emulator.url, "GET /health");
  expect(answered).toBe(false);
  expect(await answer).toMatchObject({ status: 200, body: { name: "ci" } });
});

test("a dripping answer is complete at last", async () => {
  await using emulator = await start();
  emulator.inject(faultOf({ kind: "drip", ms: 5 }));
  const parts: Buffer[] = [];
  for await (const part of await send(emulator.url, "POST /v2/tokens", create)) parts.push(part);
  expect(parts.length).toBeGreaterThan(1);
  expect(JSON.parse(Buffer.concat(parts).toString())).toMatchObject({ name: "ci" });
});

test("a truncated answer is whole for HTTP and half for JSON; a cut one is half for HTTP, too", async () => {
  await using emulator = await start();
  emulator.inject(faultOf({ kind: "truncate" }));
  emulator.inject(faultOf({ kind: "cut" }));
  const truncated = await call(emulator.url, "POST /v2/tokens", create);
  expect(truncated).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
  expect(truncated.body).toMatch(/^\{"id":"[^}]*$/);
  await expect(call(emulator.url, "POST /v2/tokens", create)).rejects.toThrow("aborted");
  expect(emulator.tokens.list()).toHaveLength(2);
});

test("a request that the service refuses is refused through a fault, too", async () => {
  await using emulator = await start();
  emulator.inject(faultOf({ kind: "delay", ms: 1 }));
  expect((await call(emulator.url, "POST /v2/tokens", { ...create, token: null })).status).toBe(401);
});

test("a fault meets the next matching requests, as many as it says, one fault after the other", async () => {
  await using emulator = await start();
  emulator.inject({ method: "GET", path: "/v2/tokens/*", times: 2, action: { kind: "status", status: 500 } });
  emulator.inject({ method: "GET", path: "/v2/tokens/a", action: { kind: "status", status: 502 } });
  const statuses = [];
  for (const line of [
    "GET /v2/tokens",
    "GET /v2/tokens/b",
    "GET /v2/tokens/a?x=1",
    "GET /v2/tokens/a",
    "GET /v2/tokens/a",
  ])
    statuses.push((await call(emulator.url, line)).status);
  expect(statuses).toEqual([200, 500, 500, 502, 404]);
});

test("closing ends a wait of any length", async () => {
  const emulator = await start();
  emulator.inject(faultOf({ kind: "delay", ms: 3_600_000 }));
  emulator.inject(faultOf({ kind: "drip", ms: 3_600_000 }));
  const answers = [1, 2].map(() =>
    call(emulator.url, "POST /v2/tokens", create).catch((failure: Error) => failure.message),
  );
  while (emulator.tokens.list().length < 2) await call(emulator.url, "GET /health");
  await emulator[Symbol.asyncDispose](); // an hour would be past this test's limit
  for (const answer of answers) expect(await answer).toMatch(/socket hang up|aborted/);
});

test("objects can be changed and removed behind the users' back", async () => {
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

describe("over HTTP", () => {
  test("none of it exists unless it was asked for", async () => {
    await using emulator = await start();
    for (const line of ["POST /_test/faults", "DELETE /_test/tokens/x", "PATCH /_test/tokens/x"])
      expect((await call(emulator.url, line, { body: {} })).status).toBe(404);
  });

  test("it is for the root token alone", async () => {
    await using emulator = await start({ faults: true });
    const token = await mintedWith(emulator.url, { apiTokens: ["create", "read", "update", "delete"] });
    for (const line of ["POST /_test/faults", "DELETE /_test/tokens/x", "PATCH /_test/tokens/x"]) {
      expect((await call(emulator.url, line, { body: {}, token: null })).status).toBe(401);
      const refused = await call(emulator.url, line, { body: {}, token });
      expect(refused).toMatchObject({ status: 403, body: { message: "only the root token may do this" } });
    }
  });

  test("faults are planned, and tokens changed and removed", async () => {
    await using emulator = await start({ faults: true });
    const { id } = (await call(emulator.url, "POST /v2/tokens", create)).body;
    const changed = await call(emulator.url, `PATCH /_test/tokens/${id}`, { body: { name: "other" } });
    expect(changed).toMatchObject({ status: 200, body: { id, name: "other" } });
    const body = { method: "GET", path: "/v2/*", times: 1, action: { kind: "status", status: 500 } };
    expect((await call(emulator.url, "POST /_test/faults", { body })).status).toBe(204);
    expect((await call(emulator.url, "GET /v2/tokens")).status).toBe(500);
    expect((await call(emulator.url, "GET /v2/tokens")).body).toEqual([{ id, name: "other" }]);
    expect((await call(emulator.url, `DELETE /_test/tokens/${id}`)).status).toBe(204);
    expect((await call(emulator.url, `DELETE /_test/tokens/${id}`)).status).toBe(404);
    expect((await call(emulator.url, "GET /v2/tokens", { token: rootToken })).body).toEqual([]);
  });

  test.each([
    [{ path: "/a", action: { kind: "html" } }, "method: is required"],
    [{ method: "GET", path: "a", action: { kind: "html" } }, "path: must match ^\\/"],
    [
      { method: "GET", path: "/a", times: 0, action: { kind: "html" } },
      "times: must be a whole number from 1 to 1000000",
    ],
    [{ method: "GET", path: "/a", action: "html" }, /^action\.kind: must be one of status, html, reset, /],
    [{ method: "GET", path: "/a", action: { kind: "toString" } }, /^action\.kind: must be one of /],
    [{ method: "GET", path: "/a", action: { kind: "status" } }, "action.status: is required"],
    [{ method: "GET", path: "/a", action: { kind: "status", status: 99 } }, /^action\.status: must be a whole number/],
    [{ method: "GET", path: "/a", action: { kind: "delay", ms: -1 } }, /^action\.ms: must be a whole number/],
    [{ method: "GET", path: "/a", action: { kind: "html", ms: 1 } }, "action.ms: there is no such field"],
    [
      { method: "GET", path: "/a", action: { kind: "status", status: 200, headers: { a: "b\nc" } } },
      /^action\.headers\.a: /,
    ],
  ])("a fault that makes no sense is a 400 (%#)", async (body, message) => {
    await using emulator = await start({ faults: true });
    const answer = await call(emulator.url, "POST /_test/faults", { body });
    const expected = typeof message === "string" ? message : expect.stringMatching(message);
    expect(answer).toMatchObject({ status: 400, body: { code: 400, message: expected } });
  });
});
