import { expect, test } from "@jest/globals";
import { call, mintedWith, start } from "./harness";

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
