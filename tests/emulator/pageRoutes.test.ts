import { describe, expect, test } from "@jest/globals";
import type { Emulator } from "../../emulator";
import type { RecentRequest } from "../../emulator/pageResponses";
import { call, mintedWith, now, rootToken, start } from "./harness";

const requestsOf = async ({ url }: Emulator): Promise<readonly RecentRequest[]> =>
  (await call(url, "GET /_page/state")).body.requests;

describe("the last requests", () => {
  test("have their sender, outcome and reason", async () => {
    await using emulator = await start();
    const secret = await mintedWith(emulator.url, {}, { name: "<b>ci</b>" });
    await call(emulator.url, "GET /v2/tokens", { token: secret });
    await call(emulator.url, "GET /v2/tokens", { token: "nobody's" });
    await call(emulator.url, "GET /nothing?a=b", { token: null });
    const common = { time: expect.stringMatching(/^\d{4}-.*Z$/), milliseconds: expect.any(Number) };
    const lacks = "the token lacks the capability orgCapabilities.apiTokens: read";
    const caller = { root: false, name: "<b>ci</b>" };
    expect(await requestsOf(emulator)).toEqual(
      [
        { method: "POST", path: "/v2/tokens", status: 200, caller: { root: true } },
        { method: "GET", path: "/v2/tokens", status: 403, message: lacks, caller },
        { method: "GET", path: "/v2/tokens", status: 401, message: "the token is not known" },
        { method: "GET", path: "/nothing", status: 404, message: "there is no such path" },
      ].map((request) => ({ ...common, ...request })),
    );
  });

  test("contain no secret, wherever somebody put it by mistake", async () => {
    await using emulator = await start();
    const secret = await mintedWith(emulator.url, { apiTokens: ["read"] });
    const encoded = encodeURIComponent(rootToken).replace("-", "%2D");
    for (const place of [secret, rootToken, encoded, `a/${secret}/b`, "xaat-not-one-of-ours", `x?token=${secret}`])
      await call(emulator.url, `GET /v2/tokens/${place}`, { body: { name: secret }, headers: { "x-secret": secret } });
    expect((await requestsOf(emulator)).map(({ path }) => path)).toEqual([
      "/v2/tokens",
      ...Array(3).fill("/v2/tokens/[token]"),
      "/v2/tokens/a/[token]/b",
      "/v2/tokens/[token]",
      "/v2/tokens/x",
    ]);
    await call(emulator.url, `POST /v1/datasets/${secret}/query`, { token: secret, body: {} });
    for (const misplaced of [secret, rootToken]) {
      await call(emulator.url, "POST /v1/datasets/_apl", { body: { apl: `['${misplaced}'] | count` } });
      await call(emulator.url, "POST /v2/tokens", { body: { name: "a", [misplaced]: 1 } });
    }
    const text = JSON.stringify(await requestsOf(emulator));
    for (const canary of [secret, secret.slice(5), rootToken]) expect(text).not.toContain(canary);
  });

  test("are limited in size and number", async () => {
    await using emulator = await start();
    for (let n = 0; n < 505; n += 1) await call(emulator.url, `GET /${n}/${"x".repeat(2_000)}`, { token: null });
    const requests = await requestsOf(emulator);
    expect([requests.length, requests[0]?.path.slice(0, 5)]).toEqual([500, "/5/xx"]);
    expect(requests[0]?.path).toHaveLength(301);
  });

  test("show a connection that was cut before the response", async () => {
    await using emulator = await start();
    emulator.inject({ method: "GET", path: "/v2/tokens", action: { kind: "close-before-response" } });
    await expect(call(emulator.url, "GET /v2/tokens")).rejects.toThrow();
    const [request, ...others] = await requestsOf(emulator);
    expect([request?.path, request?.status, others]).toEqual(["/v2/tokens", undefined, []]);
  });
});

test.each(["GET /_page/state", "GET /_page/datasets", "POST /_page/query"])(
  "only the root token gets %s",
  async (line) => {
    await using emulator = await start();
    const secret = await mintedWith(emulator.url, { apiTokens: ["create", "read"], annotations: ["create"] });
    const sent = line.startsWith("POST") ? { body: { apl: "print 1" } } : {};
    const statuses = [];
    for (const token of [secret, null, "wrong", rootToken])
      statuses.push((await call(emulator.url, line, { token, ...sent })).status);
    expect(statuses).toEqual([403, 401, 401, 200]);
  },
);

const site = (site: string, mode: string) => ({ "sec-fetch-site": site, "sec-fetch-mode": mode });
test.each<readonly [sender: string, headers: Record<string, string>, status?: number]>([
  ["another origin", { origin: "https://evil.example" }],
  ["an origin without a name, as of a sandbox or a file", { origin: "null" }],
  ["another port of this machine", { origin: "http://127.0.0.1:1" }],
  ["an element of another site", site("cross-site", "no-cors")],
  ["an element of another port", site("same-site", "no-cors")],
  ["a link to what is not the page", site("cross-site", "navigate")],
  [
    "a foreign host name that resolves to this machine",
    { host: "evil.example:80", ...site("same-origin", "cors") },
    421,
  ],
])("a request from %s is refused, and neither counted nor listed", async (_, headers, ...[status = 403]) => {
  await using emulator = await start({ now, rateLimit: { requests: 3 } });
  emulator.inject({ method: "GET", path: "/v2/tokens", action: { kind: "status", status: 503 } });
  for (const line of ["GET /v2/tokens", "POST /v2/tokens", "OPTIONS /v2/tokens", "GET /_page/state", "GET /health"])
    expect((await call(emulator.url, line, { headers })).status).toBe(status);
  expect(emulator.calls).toEqual([]);
  expect(await requestsOf(emulator)).toEqual([]);
  expect((await call(emulator.url, "GET /v2/tokens")).status).toBe(503); // the fault was still there
  for (const status of [200, 200, 429]) expect((await call(emulator.url, "GET /health")).status).toBe(status);
});

test("the objects are those of the interface, with a mark that changes with every write, and sent only if it is new", async () => {
  await using emulator = await start();
  const objects = async (known = "") => (await call(emulator.url, `GET /_page/state?revision=${known}`)).body.objects;
  const first = await objects();
  expect(first).toMatchObject({ profile: "documented", tokens: [], annotations: [], datasets: [] });
  const { id, token, ...fields } = (await call(emulator.url, "POST /v2/tokens", { body: { name: "a" } })).body;
  const second = await objects();
  expect(second.tokens).toEqual([{ id, ...fields }]);
  expect(JSON.stringify(second)).not.toContain(token);
  expect(second.revision).not.toBe(first.revision);
  expect((await objects(first.revision)).revision).toBe(second.revision);
  expect(await objects(second.revision)).toBeUndefined();
});
