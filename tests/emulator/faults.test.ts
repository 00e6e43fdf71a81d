import { expect, test } from "@jest/globals";
import type { Fault } from "../../emulator";
import { findFreePort } from "../support/service";
import { call, start } from "./harness";

const create = { body: { name: "ci" } };
const faultOf = (action: Fault["action"]): Fault => ({ method: "POST", path: "/v2/tokens", action });

test.each<
  readonly [action: Fault["action"], response: { status: number; [member: string]: unknown }, carriedOut: number]
>([
  [
    { kind: "status", status: 503, headers: { "Retry-After": "2" }, body: { message: "busy" } },
    { status: 503, headers: { "retry-after": "2" }, body: { message: "busy" } },
    0,
  ],
  [{ kind: "status", status: 504, carriedOut: true }, { status: 504, body: undefined }, 1],
])("%j replaces the response of the service", async (action, response, carriedOut) => {
  await using emulator = await start();
  emulator.inject(faultOf(action));
  expect(await call(emulator.url, "POST /v2/tokens", create)).toMatchObject(response);
  expect(emulator.tokens.list()).toHaveLength(carriedOut);
  expect(emulator.calls).toEqual([{ method: "POST", path: "/v2/tokens", status: response.status }]);
  expect((await call(emulator.url, "POST /v2/tokens", create)).status).toBe(200);
});

test("a connection that is closed before the response loses the response, not the token", async () => {
  await using emulator = await start();
  emulator.inject(faultOf({ kind: "close-before-response" }));
  await expect(call(emulator.url, "POST /v2/tokens", create)).rejects.toThrow("socket hang up");
  expect(emulator.tokens.list()).toHaveLength(1);
  expect(emulator.calls).toEqual([{ method: "POST", path: "/v2/tokens", status: undefined }]);
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

test("a fault applies to the next matching requests, as often as it says, one fault after the other", async () => {
  await using emulator = await start();
  emulator.inject({ method: "GET", path: "/v2/tokens/*", times: 2, action: { kind: "status", status: 500 } });
  emulator.inject({ method: "GET", path: "/v2/tokens/a", action: { kind: "status", status: 502 } });
  const statuses = [];
  for (const path of ["", "/b", "/a?x=1", "/a", "/a"])
    statuses.push((await call(emulator.url, `GET /v2/tokens${path}`)).status);
  expect(statuses).toEqual([200, 500, 500, 502, 404]);
});
