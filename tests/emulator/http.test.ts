import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { findFreePort } from "../support/service";
import { call, rootToken, send, start } from "./harness";

/** Sends bytes and reads until the server closes the connection. */
async function raw(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(bytes);
  return text(socket);
}

test("only a Host header that names this machine is served", async () => {
  await using emulator = await start();
  const statusFor = async (host: string) =>
    (await call(emulator.url, "GET /health", { token: null, headers: { host } })).status;
  for (const host of ["localhost", "LOCALHOST:1", "127.0.0.1:8080", "[::1]:8080"])
    expect(await statusFor(host)).toBe(200);
  for (const host of ["example.com", "localhost.example.com", "127.0.0.1.example.com:80", "10.0.0.1", "a@localhost"])
    expect(await statusFor(host)).toBe(421);
  const without = await raw(emulator.url, "GET /health HTTP/1.1\r\nconnection: close\r\n\r\n");
  expect(without).toMatch(/^HTTP\/1\.1 421 .*\r\n\r\n\{"code":421,"message":"the Host header must name this machine/s);
});

test("the server listens on no other address, not even on another one of the loopback network", async () => {
  await using emulator = await start();
  const { hostname, port } = new URL(emulator.url);
  expect(hostname).toBe("127.0.0.1");
  await expect(fetch(`http://127.0.0.2:${port}/health`)).rejects.toThrow("fetch failed");
});

test("an unknown path is 404; an unsupported method is 405 and the response names the supported ones", async () => {
  await using emulator = await start();
  const codes = { 404: "there is no such path", 405: "this path takes POST, GET" };
  for (const line of ["GET /x", "GET /v2", "GET /v2/token", "GET /v2/tokens/", "GET /v2/tokens/a/b", "GET /V2/tokens"])
    expect(await call(emulator.url, line)).toMatchObject({ status: 404, body: { code: 404, message: codes[404] } });
  for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const answer = await call(emulator.url, `${method} /v2/tokens`);
    expect(answer).toMatchObject({ status: 405, headers: { allow: "POST, GET" }, body: { message: codes[405] } });
  }
  expect((await call(emulator.url, "HEAD /v2/tokens")).status).toBe(405);
});

test("a path is not normalized: dots do not change it, and an encoded slash is part of an id", async () => {
  await using emulator = await start();
  for (const path of ["/v2/tokens/..", "/v2/tokens/%2e%2e", "/v2/tokens/.", "/v2/tokens/a%2Fb", "/v2/tokens/%00"]) {
    const answer = await call(emulator.url, `GET ${path}`);
    expect(answer).toMatchObject({ status: 404, body: { message: "there is no such token" } });
  }
  expect((await call(emulator.url, "GET /v2/x/../tokens")).status).toBe(404);
  expect((await call(emulator.url, "GET /v2/tokens/%zz")).status).toBe(400);
  expect((await call(emulator.url, "GET http://example.com/v2/tokens")).status).toBe(400);
  expect(emulator.calls.map((c) => c.path)).toContain("/v2/tokens/%2e%2e");
});

test("a query parameter that the interface does not name is refused", async () => {
  await using emulator = await start();
  expect((await call(emulator.url, "GET /v2/tokens?limit=1")).status).toBe(400);
  expect((await call(emulator.url, "GET /v2/tokens?")).status).toBe(200);
});

test("a body must be declared as JSON", async () => {
  await using emulator = await start();
  const create = (type: string) =>
    call(emulator.url, "POST /v2/tokens", { body: { name: "ci" }, headers: { "content-type": type } });
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])
    expect(await create(type)).toMatchObject({ status: 415, body: { code: 415 } });
  for (const type of ["application/json; charset=utf-8", "Application/JSON"])
    expect((await create(type)).status).toBe(200);
});

test("a body over 1 MiB is 413, with or without a declared length; a smaller one is accepted", async () => {
  await using emulator = await start();
  const bodyOf = (bytes: number) => `{"name":"${"a".repeat(bytes - 11)}"}`;
  const MiB = 1024 * 1024;
  expect((await call(emulator.url, "POST /v2/tokens", { body: bodyOf(MiB) })).status).toBe(200);
  const tooLarge = { status: 413, body: { code: 413, message: "the body must not be larger than 1048576 bytes" } };
  expect(await call(emulator.url, "POST /v2/tokens", { body: bodyOf(MiB + 1) })).toMatchObject(tooLarge);
  expect(await call(emulator.url, "POST /v2/tokens", { body: bodyOf(20 * MiB) })).toMatchObject(tooLarge);

  const stream = new Blob([bodyOf(8 * MiB)]).stream();
  const headers = { authorization: `Bearer ${emulator.rootToken}`, "content-type": "application/json" };
  const chunked = await fetch(`${emulator.url}/v2/tokens`, {
    method: "POST",
    headers,
    body: stream,
    duplex: "half",
  } as RequestInit);
  expect([chunked.status, await chunked.json()]).toEqual([413, tooLarge.body]);
  expect(emulator.tokens.list()).toHaveLength(1);
});

describe("a compressed body", () => {
  const packers = { gzip: gzipSync, "x-gzip": gzipSync, zstd: zstdCompressSync, Identity: (text: string) => text };
  const sendPacked = async (url: string, encoding: string, body: Buffer | string) => {
    const headers = { authorization: `Bearer ${rootToken}`, "content-type": "application/json" };
    const sent = { method: "POST", headers: { ...headers, "content-encoding": encoding }, body };
    const answer = await fetch(`${url}/v2/tokens`, sent as RequestInit);
    return [answer.status, ((await answer.json()) as { message?: string }).message ?? ""];
  };

  test.each(Object.entries(packers))("in %s is unpacked", async (encoding, pack) => {
    await using emulator = await start();
    expect(await sendPacked(emulator.url, encoding, pack('{"name":"ci"}'))).toEqual([200, ""]);
    expect(emulator.tokens.list()).toMatchObject([{ name: "ci" }]);
  });

  test("is 413 if it is too large when decompressed, 400 if it is damaged and 415 in another coding", async () => {
    await using emulator = await start();
    const large = `{"name":"${"a".repeat(64 * 1024 * 1024)}"}`;
    const tooLarge = [413, "the body must not be larger than 1048576 bytes"];
    expect(await sendPacked(emulator.url, "gzip", gzipSync(large))).toEqual(tooLarge);
    expect(await sendPacked(emulator.url, "zstd", zstdCompressSync(large))).toEqual(tooLarge);
    const half = gzipSync('{"name":"ci"}').subarray(0, 15);
    expect(await sendPacked(emulator.url, "gzip", half)).toEqual([400, "the body is not valid gzip"]);
    expect(await sendPacked(emulator.url, "zstd", "plain")).toEqual([400, "the body is not valid zstd"]);
    const unknown = [415, "content-encoding: must be gzip, zstd or identity"];
    expect(await sendPacked(emulator.url, "br", "x")).toEqual(unknown);
    expect(await sendPacked(emulator.url, "gzip, gzip", "x")).toEqual(unknown);
    expect(emulator.tokens.list()).toEqual([]);
  });
});

test("bytes that are not HTTP get a response in JSON", async () => {
  await using emulator = await start();
  const answer = await raw(emulator.url, "NONSENSE\r\n\r\n");
  expect(answer).toMatch(
    /^HTTP\/1\.1 400 Bad Request\r\n.*\r\n\r\n\{"code":400,"message":"not a valid HTTP request"\}$/s,
  );
  const long = `GET /health HTTP/1.1\r\nhost: localhost\r\na: ${"a".repeat(100_000)}\r\n\r\n`;
  expect(await raw(emulator.url, long)).toMatch(/^HTTP\/1\.1 431 /);
});

test("closing lets running requests finish, refuses new ones and closes idle connections", async () => {
  const emulator = await start({ port: await findFreePort() });
  const idle = connect(Number(new URL(emulator.url).port), "127.0.0.1");
  const ended = text(idle);
  idle.write("GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n");
  const underWay = connect(Number(new URL(emulator.url).port), "127.0.0.1");
  const answer = text(underWay);
  const head = `POST /v2/tokens HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${emulator.rootToken}`;
  underWay.write(`${head}\r\ncontent-type: application/json\r\ncontent-length: 13\r\n\r\n{"name"`);
  while (emulator.calls.length < 2) await sleep(5);

  const closed = emulator.close();
  await expect(send(emulator.url, "GET /health", {})).rejects.toThrow("ECONNREFUSED");
  underWay.write(':"ci"}');
  expect(await answer).toMatch(/^HTTP\/1\.1 200 OK.*"name":"ci"/s);
  await closed;
  expect(await ended).toMatch(/^HTTP\/1\.1 200 OK/);
  await emulator[Symbol.asyncDispose]();
});

test("closing does not wait for ever for an incomplete request", async () => {
  await using emulator = await start();
  const socket = connect(Number(new URL(emulator.url).port), "127.0.0.1");
  const ended = text(socket).catch(() => "reset");
  const head = `POST /v2/tokens HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${emulator.rootToken}`;
  socket.write(`${head}\r\ncontent-type: application/json\r\ncontent-length: 13\r\n\r\n`);
  while (emulator.calls.length === 0) await sleep(5);
  await emulator.close(); // for ever would be this test's limit
  expect(await ended).not.toMatch(/^HTTP\/1\.1 200/);
});
