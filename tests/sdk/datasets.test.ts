import { expect, test } from "@jest/globals";
import { connect } from "../support/client";
import { json, startService } from "../support/service";

const extended = { profile: "extended" } as const;
const dataset = { id: "web", name: "web", created: "2026-01-01T00:00:00Z", who: "ada", kind: "axiom:events:v1" };

test.each([
  [{ retentionDays: 30, useRetentionPeriod: true }, { retentionDays: 30 }],
  [{ retentionDays: 30 }, { retentionDays: 30 }],
  [{ retentionDays: 30, useRetentionPeriod: false }, {}],
  [{ retentionDays: 0, useRetentionPeriod: true }, {}],
  [{ useRetentionPeriod: false }, {}],
])("a dataset with %j is read with %j", async (sent, read) => {
  await using service = await startService(json(200, { ...dataset, ...sent, canWrite: true, mapFields: [] }));
  await using client = connect(service.url, extended);
  expect(await client.datasets.get("web")).toEqual({ ...dataset, ...read });
});

test("a dataset without a name has that of its id, and odd fields are named", async () => {
  await using service = await startService(json(200, [{ id: "web", retentionDays: "30", created: 5 }]));
  await using client = connect(service.url, extended);
  const odd = { retentionDays: "expected number", created: "expected string" };
  expect(await client.datasets.list()).toEqual([{ id: "web", name: "web", odd }]);
});
