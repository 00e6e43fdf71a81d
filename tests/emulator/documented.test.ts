import { expect, test } from "@jest/globals";
import { call, start } from "./harness";

const spec = {
  name: "ci",
  description: "for the pipeline",
  expiresAt: "2030-01-31T12:00:00Z",
  datasetCapabilities: { logs: { ingest: ["create"] } },
  orgCapabilities: { annotations: ["create"], apiTokens: ["create", "read"] },
};

test("creating a token returns 200 with its fields, its id and, only this time, its secret", async () => {
  await using emulator = await start();
  const made = await call(emulator.url, "POST /v2/tokens", { body: spec });
  expect(made.status).toBe(200);
  expect(made.headers["content-type"]).toBe("application/json");
  expect(made.headers["cache-control"]).toBe("no-store");
  expect(made.body).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    token: expect.stringMatching(/^xaat-[0-9a-f-]{36}$/),
    ...spec,
  });
});

test("a token's expiry is shown in UTC, regardless of its zone in the request", async () => {
  await using emulator = await start();
  const body = { name: "ci", expiresAt: "2030-01-01T01:30:00.250+02:00" };
  const made = await call(emulator.url, "POST /v2/tokens", { body });
  expect(made.body.expiresAt).toBe("2029-12-31T23:30:00.250Z");
});

test("creating an annotation returns 201 with its fields and its id", async () => {
  await using emulator = await start();
  const body = {
    datasets: ["logs"],
    title: "Deployed",
    description: "v2",
    type: "deploy",
    time: "2026-01-01T00:00:00Z",
    endTime: "2026-01-01T00:05:00Z",
    url: "https://example.com/1",
  };
  const made = await call(emulator.url, "POST /v2/annotations", { body });
  expect(made.status).toBe(201);
  expect(made.body).toEqual({ id: expect.stringMatching(/^ann_[0-9a-f]{24}$/), ...body });
});
