import { expect, test } from "@jest/globals";
import type { Fault } from "../../emulator";
import { findFreePort } from "../support/port";
import { call, send, start } from "./harness";

const create = { body: { name: "ci" } };
const faultOf = (action: Fault["action"], times?: number): Fault => ({
  method: "POST",
  path: "/v2/tokens",
  action,
  ...(times && { times }),
});

test("a status replaces the response of the service, which does not see the request", async () => {
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

test("the content type of a response can be wrong", async () => {
  await using emulator = await start();
  emulator.inject(faultOf({ kind: "status", status: 200, headers: { "Content-Type": "text/plain" }, body: {} }));
  expect((await call(emulator.url, "POST /v2/tokens", create)).headers["content-type"]).toBe("text/plain");
});

test("a connection that is closed before the response loses the response, not the token", async () => {
  await using emulator = await start();
  emulator.inject(faultOf({ kind: "close-before-response" }));
  await expect(call(emulator.url, "POST /v2/tokens", create)).rejects.toThrow("socket hang up");
  expect(emulator.tokens.list()).toHaveLength(1);
  expect(emulator.calls).toEqual([{ method: "POST", path: "/v2/tokens", status: undefined }]);
});

test("a reset happens before the request is carried out", async () => {
  await using emulator = await start();
  emulator.inject(faultOf({ kind: "reset" }));
  await expect(call(emulator.url, "POST /v2/tokens", create)).rejects.toThrow("ECONNRESET");
  expect(emulator.tokens.list()).toEqual([]);
});

test.each<readonly [Fault["action"], string]>([
  [{ kind: "reset", carriedOut: true }, "ECONNRESET"],
  [{ kind: "garbage", carriedOut: true }, "Parse Error"],
  [{ kind: "garbage" }, "Parse Error"],
])("%j breaks the connection, after the request was carried out if it says so", async (action, message) => {
  await using emulator = await start();
  emulator.inject(faultOf(action));
  await expect(call(emulator.url, "POST /v2/tokens", create)).rejects.toThrow(message);
  expect(emulator.tokens.list()).toHaveLength("carriedOut" in action ? 1 : 0);
  expect((await call(emulator.url, "POST /v2/tokens", create)).status).toBe(200);
});

test("a redirect sends the client elsewhere", async () => {
  await using emulator = await start();
  const location = "http://127.0.0.1:9/elsewhere";
  emulator.inject(faultOf({ kind: "redirect", location }));
  emulator.inject(faultOf({ kind: "redirect", location: "/v2/other", status: 302, carriedOut: true }));
  expect(await call(emulator.url, "POST /v2/tokens", create)).toMatchObject({ status: 307, headers: { location } });
  expect(emulator.tokens.list()).toEqual([]);
  expect(await call(emulator.url, "POST /v2/tokens", create)).toMatchObject({ status: 302, body: undefined });
  expect(emulator.tokens.list()).toHaveLength(1);
});

test("a response may have another content type, be bytes that are not text, or start with any number of spaces", async () => {
  await using emulator = await start();
  emulator.inject(faultOf({ kind: "content-type", type: "text/plain" }));
  emulator.inject(faultOf({ kind: "garbage-body" }));
  emulator.inject(faultOf({ kind: "huge", bytes: 3_000_000 }));
  emulator.inject(faultOf({ kind: "huge", bytes: 1 }));
  const plain = await call(emulator.url, "POST /v2/tokens", create);
  expect(plain).toMatchObject({ status: 200, headers: { "content-type": "text/plain" }, body: { name: "ci" } });
  const garbage = await call(emulator.url, "POST /v2/tokens", create);
  expect(garbage).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
  expect(garbage.body).toContain("\ufffd");
  for (const length of ["3000000", undefined]) {
    const huge = await call(emulator.url, "POST /v2/tokens", create);
    expect(huge).toMatchObject({ status: 200, body: { name: "ci" } });
    if (length) expect(huge.headers["content-length"]).toBe(length);
  }
  expect(emulator.tokens.list()).toHaveLength(4);
});

test("a client that does not read a huge response costs no memory and blocks nothing", async () => {
  const emulator = await start();
  emulator.inject({ method: "GET", path: "/v2/tokens", action: { kind: "huge", bytes: 10_000_000_000 } });
  const response = await send(emulator.url, "GET /v2/tokens", {});
  expect((await call(emulator.url, "GET /v2/tokens")).body).toEqual([]);
  response.destroy();
  await emulator.close();
});

test("a service that crashes cuts its connections, keeps its data, and can start again on its port", async () => {
  const port = await findFreePort();
  const first = await start({ port });
  for (let restart = 0; restart < 3; restart++) {
    await using emulator = restart === 0 ? first : await start({ dataDir: first.dataDir, port });
    expect(emulator.url).toBe(first.url);
    expect(emulator.tokens.list()).toHaveLength(restart);
    emulator.inject(faultOf({ kind: "delay", ms: 3_600_000 }));
    const waiting = call(emulator.url, "POST /v2/tokens", create).catch((failure: Error) => failure.message);
    while (emulator.tokens.list().length === restart) await call(emulator.url, "GET /health");
    await emulator.crash();
    expect(await waiting).toMatch(/socket hang up|ECONNRESET/);
  }
});

test("a delayed response is complete, and the token exists before it", async () => {
  await using emulator = await start();
  emulator.inject(faultOf({ kind: "delay", ms: 3_600_000 }));
  emulator.inject(faultOf({ kind: "delay", ms: 5 }));
  const late = call(emulator.url, "POST /v2/tokens", create).then(
    () => "answered",
    () => "closed before its response",
  );
  while (emulator.tokens.list().length === 0) await call(emulator.url, "GET /health");
  const delayed = await call(emulator.url, "POST /v2/tokens", create);
  expect(delayed).toMatchObject({ status: 200, body: { name: "ci" } });
  await emulator.close();
  expect(await late).toBe("closed before its response");
});

test("a dripping response is complete in the end", async () => {
  await using emulator = await start();
  emulator.inject(faultOf({ kind: "drip", ms: 5 }));
  const parts: Buffer[] = [];
  for await (const part of await send(emulator.url, "POST /v2/tokens", create)) parts.push(part);
  expect(parts.length).toBeGreaterThan(1);
  expect(JSON.parse(Buffer.concat(parts).toString())).toMatchObject({ name: "ci" });
});

test("a truncated response is complete HTTP with half of the JSON; a cut one is incomplete HTTP, too", async () => {
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

test("a fault applies to the next matching requests, as often as it says, one fault after the other", async () => {
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

test("closing aborts any wait", async () => {
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
