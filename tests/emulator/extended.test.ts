import { expect, test } from "@jest/globals";
import { call, start } from "./harness";

const annotation = { datasets: ["logs"], type: "deploy", time: "2026-01-01T00:00:00Z" };

test("regenerating creates a new token like the old one, which stays valid until the given time", async () => {
  let now = new Date("2026-01-01T00:00:00Z");
  await using emulator = await start({ profile: "extended", now: () => now });
  const spec = { name: "ci", orgCapabilities: { apiTokens: ["read"] } };
  const old = (await call(emulator.url, "POST /v2/tokens", { body: spec })).body;
  const body = { existingTokenExpiresAt: "2026-01-02T00:00:00Z", newTokenExpiresAt: "2026-02-01T01:00:00+01:00" };
  const answer = await call(emulator.url, `POST /v2/tokens/${old.id}/regenerate`, { body });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    ...spec,
    id: expect.not.stringMatching(old.id),
    token: expect.not.stringMatching(old.token),
    expiresAt: "2026-02-01T00:00:00Z",
  });
  expect((await call(emulator.url, `GET /v2/tokens/${old.id}`)).body.expiresAt).toBe("2026-01-02T00:00:00Z");

  const statusFor = async (token: string) => (await call(emulator.url, "GET /v2/tokens", { token })).status;
  expect([await statusFor(old.token), await statusFor(answer.body.token)]).toEqual([200, 200]);
  now = new Date("2026-01-02T00:00:00Z");
  expect([await statusFor(old.token), await statusFor(answer.body.token)]).toEqual([401, 200]);
});

test("an annotation can be read, changed and deleted", async () => {
  await using emulator = await start({ profile: "extended" });
  const { id } = (await call(emulator.url, "POST /v2/annotations", { body: annotation })).body;
  const path = `/v2/annotations/${id}`;
  expect(await call(emulator.url, `GET ${path}`)).toMatchObject({ status: 200, body: { id, ...annotation } });
  const changed = await call(emulator.url, `PUT ${path}`, { body: { title: "Deployed", endTime: null } });
  expect(changed.status).toBe(200);
  expect(changed.body).toEqual({ id, ...annotation, title: "Deployed", endTime: null });
  expect((await call(emulator.url, `GET ${path}`)).body).toEqual(changed.body);
  expect(await call(emulator.url, `DELETE ${path}`)).toMatchObject({ status: 204, body: undefined });
  for (const method of ["GET", "PUT", "DELETE"]) {
    const gone = await call(emulator.url, `${method} ${path}`, { body: {} });
    expect(gone).toMatchObject({ status: 404, body: { message: "there is no such annotation" } });
  }
});

test("annotations are listed by dataset and by time, ranges included", async () => {
  await using emulator = await start({ profile: "extended" });
  const create = async (datasets: string[], time: string, endTime?: string) => {
    const body = { datasets, type: "deploy", time, ...(endTime && { endTime }) };
    return (await call(emulator.url, "POST /v2/annotations", { body })).body.id;
  };
  const early = await create(["logs"], "2026-01-01T00:00:00Z");
  const range = await create(["logs", "traces"], "2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z");
  const late = await create(["metrics"], "2026-01-03T00:00:00Z");
  const ids = async (query: string) =>
    (await call(emulator.url, `GET /v2/annotations?${query}`)).body.map((a: { id: string }) => a.id);
  expect(await ids("")).toEqual([early, range, late]);
  expect(await ids("datasets=logs")).toEqual([early, range]);
  expect(await ids("datasets=traces,metrics")).toEqual([range, late]);
  expect(await ids("start=2026-01-02T00:00:00Z")).toEqual([range, late]);
  expect(await ids("start=2026-01-02T00:00:00Z&end=2026-01-02T12:00:00Z&datasets=")).toEqual([range]);
  expect(await ids("end=2026-01-01T02:00:00%2B02:00")).toEqual([early, range]);
  const wrong = await call(emulator.url, "GET /v2/annotations?start=yesterday");
  expect(wrong).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^start: /) } });
});

test.each([
  [{ type: "deploy" }, /^datasets: is required;/],
  [{ datasets: ["logs"] }, /^type: is required;/],
  [{ ...annotation, datasets: [] }, "datasets: must have at least 1 element"],
  [{ ...annotation, type: "Deploy" }, "type: must match ^[a-z0-9-]+$"],
  [{ ...annotation, type: "" }, "type: must match ^[a-z0-9-]+$"],
  [{ ...annotation, type: "a".repeat(257) }, "type: must not be longer than 256 characters"],
  [{ ...annotation, title: "a".repeat(257) }, "title: must not be longer than 256 characters"],
  [{ ...annotation, description: "a".repeat(513) }, "description: must not be longer than 512 characters"],
  [{ ...annotation, url: "a".repeat(513) }, "url: must not be longer than 512 characters"],
])("the extended profile enforces its limits on annotations (%#)", async (body, message) => {
  await using emulator = await start({ profile: "extended" });
  expect(await call(emulator.url, "POST /v2/annotations", { body })).toMatchObject({ status: 400, body: { message } });
  await using documented = await start();
  expect((await call(documented.url, "POST /v2/annotations", { body })).status).toBe(201);
});
