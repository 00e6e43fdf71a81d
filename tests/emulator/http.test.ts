import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { findFreePort } from "../support/service";
import { call, rootToken, send, start, type TestEmulator } from "./harness";

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

test.each<readonly [status: number, message: string, lines: readonly string[]]>([
  [404, "there is no such path", ["/x", "/v2", "/v2/token", "/v2/tokens/", "/v2/tokens/a/b", "/V2/tokens"]],
  [404, "there is no such path", ["/v2/x/../tokens"]],
  // An encoded slash is part of an id, and so are dots.
  [404, "there is no such token", ["..", "%2e%2e", ".", "a%2Fb", "%00"].map((id) => `/v2/tokens/${id}`)],
  [400, "the path is not validly percent-encoded", ["/v2/tokens/%zz"]],
  [400, "the request target must be a path", ["http://example.com/v2/tokens"]],
  [400, "there is no such query parameter", ["/v2/tokens?limit=1"]],
])("is refused with %i, %s: %j", async (status, message, targets) => {
  await using emulator = await start();
  for (const target of targets)
    expect(await call(emulator.url, `GET ${target}`)).toMatchObject({ status, body: { code: status, message } });
  // No path was normalized.
  expect(emulator.calls).toEqual(targets.map((path) => ({ method: "GET", path, status })));
});

test("a response to an unsupported method names the supported ones", async () => {
  await using emulator = await start();
  for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"])
    expect(await call(emulator.url, `${method} /v2/tokens`)).toMatchObject({
      status: 405,
      headers: { allow: "POST, GET" },
      body: { message: "this path accepts only POST, GET" },
    });
  expect((await call(emulator.url, "HEAD /v2/tokens")).status).toBe(405);
});

test("a body must be declared as JSON", async () => {
  await using emulator = await start();
  const statusFor = async (type: string) =>
    (await call(emulator.url, "POST /v2/tokens", { body: { name: "ci" }, headers: { "content-type": type } })).status;
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])
    expect(await statusFor(type)).toBe(415);
  for (const type of ["application/json; charset=utf-8", "Application/JSON"]) expect(await statusFor(type)).toBe(200);
});

test("a body over 1 MiB is 413, with or without a declared length; a smaller one is accepted", async () => {
  await using emulator = await start();
  const bodyOf = (bytes: number) => `{"name":"${"a".repeat(bytes - 11)}"}`;
  const MiB = 1024 * 1024;
  expect((await call(emulator.url, "POST /v2/tokens", { body: bodyOf(MiB) })).status).toBe(200);
  const tooLarge = { status: 413, body: { code: 413, message: "the body must not be larger than 1048576 bytes" } };
  expect(await call(emulator.url, "POST /v2/tokens", { body: bodyOf(MiB + 1) })).toMatchObject(tooLarge);
  expect(await call(emulator.url, "POST /v2/tokens", { body: bodyOf(20 * MiB) })).toMatchObject(tooLarge);

  const chunked = await sendBytes(emulator.url, {}, new Blob([bodyOf(8 * MiB)]).stream());
  expect(chunked).toEqual([413, tooLarge.body.message]);
  expect(emulator.tokens.list()).toHaveLength(1);
});

/** By fetch, which sends a stream without a length. */
async function sendBytes(url: string, more: Record<string, string>, body: unknown) {
  const headers = { authorization: `Bearer ${rootToken}`, "content-type": "application/json", ...more };
  const answer = await fetch(`${url}/v2/tokens`, { method: "POST", headers, body, duplex: "half" } as RequestInit);
  return [answer.status, ((await answer.json()) as { message?: string }).message];
}

const plain = (text: string) => text;
const packers = {
  gzip: gzipSync,
  "x-gzip": gzipSync,
  zstd: zstdCompressSync,
  Identity: plain,
  ...{ "": plain, "1": plain, none: plain, "utf-8": plain }, // as clients write "not encoded"
};
test.each(Object.entries(packers))("a body in %s is unpacked", async (encoding, pack) => {
  await using emulator = await start();
  expect(await sendBytes(emulator.url, { "content-encoding": encoding }, pack('{"name":"ci"}'))).toEqual([
    200,
    undefined,
  ]);
  expect(emulator.tokens.list()).toMatchObject([{ name: "ci" }]);
});

const large = `{"name":"${"a".repeat(2 * 1024 * 1024)}"}`;
test.each<readonly [status: number, message: string, encoding: string, body: string | Uint8Array]>([
  [413, "the body must not be larger than 1048576 bytes", "gzip", gzipSync(large)],
  [413, "the body must not be larger than 1048576 bytes", "zstd", zstdCompressSync(large)],
  [400, "the body is not valid gzip", "gzip", gzipSync('{"name":"ci"}').subarray(0, 15)],
  [400, "the body is not valid zstd", "zstd", "plain"],
  [415, "content-encoding: must be gzip, zstd or identity", "br", "x"],
  [415, "content-encoding: must be gzip, zstd or identity", "gzip, gzip", "x"],
])("a compressed body is refused with %i, %s: %s", async (status, message, encoding, body) => {
  await using emulator = await start();
  expect(await sendBytes(emulator.url, { "content-encoding": encoding }, body)).toEqual([status, message]);
  expect(emulator.tokens.list()).toEqual([]);
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

const head = `host: localhost\r\nauthorization: Bearer ${rootToken}\r\ncontent-type: application/json\r\ncontent-length: 13`;

/** A connection that has sent this so far. */
async function connectTo({ url, calls }: TestEmulator, sent: string) {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const before = calls.length;
  socket.write(sent);
  while (calls.length === before) await sleep(5);
  return { socket, received: text(socket).catch(() => "reset") };
}

test("closing lets running requests finish, refuses new ones and closes idle connections", async () => {
  const emulator = await start({ port: await findFreePort() });
  const idle = await connectTo(emulator, "GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n");
  const underWay = await connectTo(emulator, `POST /v2/tokens HTTP/1.1\r\n${head}\r\n\r\n{"name"`);
  const closed = emulator.close();
  await expect(send(emulator.url, "GET /health", {})).rejects.toThrow("ECONNREFUSED");
  underWay.socket.write(':"ci"}');
  expect(await underWay.received).toMatch(/^HTTP\/1\.1 200 OK.*"name":"ci"/s);
  await closed;
  expect(await idle.received).toMatch(/^HTTP\/1\.1 200 OK/);
  await emulator[Symbol.asyncDispose]();
});

test("closing does not wait for ever for an incomplete request", async () => {
  await using emulator = await start();
  const incomplete = await connectTo(emulator, `POST /v2/tokens HTTP/1.1\r\n${head}\r\n\r\n`);
  await emulator.close(); // for ever would be this test's limit
  expect(await incomplete.received).not.toMatch(/^HTTP\/1\.1 200/);
});

const midnight = Date.parse("2026-01-01T00:00:00Z");
test("each window accepts the full number of requests, and responses tell it", async () => {
  let now = new Date(midnight);
  await using emulator = await start({ now: () => now, rateLimit: { requests: 2 } });
  const told = [];
  for (const second of [50, 58, 59, 60, 61, 62, 119]) {
    now = new Date(midnight + second * 1000);
    const { status, headers } = await call(emulator.url, "GET /v2/tokens");
    const reset = Number(headers["x-ratelimit-reset"]) - midnight / 1000;
    told.push([status, headers["x-ratelimit-remaining"], reset, headers["retry-after"]]);
  }
  const [first = [], second = []] = [60, 120].map((reset) => [
    [200, "1", reset, undefined],
    [200, "0", reset, undefined],
    [429, "0", reset, undefined],
  ]);
  expect(told).toEqual([...first, ...second, second[2]]);
});

test("the documented profile has no limit of its own", async () => {
  await using emulator = await start();
  const { headers } = await call(emulator.url, "GET /v2/tokens");
  expect(Object.keys(headers).filter((name) => name.startsWith("x-"))).toEqual([]);
});
