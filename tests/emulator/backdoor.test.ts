import { describe, expect, test } from "@jest/globals";
import { call, mintedWith, rootToken, start } from "./harness";

const create = { body: { name: "ci" } };

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

describe("over HTTP", () => {
  test("the backdoor exists only with its option", async () => {
    await using emulator = await start();
    for (const line of ["POST /_test/faults", "DELETE /_test/tokens/x", "PATCH /_test/tokens/x"])
      expect((await call(emulator.url, line, { body: {} })).status).toBe(404);
  });

  test("it requires the root token", async () => {
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
    [{ method: "GET", path: "/a", action: "html" }, /^action\.kind: must be one of status, html, redirect, /],
    [{ method: "GET", path: "/a", action: { kind: "toString" } }, /^action\.kind: must be one of /],
    [{ method: "GET", path: "/a", action: { kind: "status" } }, "action.status: is required"],
    [{ method: "GET", path: "/a", action: { kind: "status", status: 99 } }, /^action\.status: must be a whole number/],
    [{ method: "GET", path: "/a", action: { kind: "delay", ms: -1 } }, /^action\.ms: must be a whole number/],
    [{ method: "GET", path: "/a", action: { kind: "redirect" } }, "action.location: is required"],
    [
      { method: "GET", path: "/a", action: { kind: "redirect", location: "/b", status: 200 } },
      /^action\.status: must be a whole number from 300 to 399/,
    ],
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
