import { describe, expect, test } from "@jest/globals";
import { connect } from "../support/client";
import { type Behaviour, json, raw, startService } from "../support/service";

const minted = { id: "t1", name: "ci", token: "xaat-secret-of-t1" };

const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;

describe("a create whose response has an id and a secret is a success that names its odd fields", () => {
  test.each<[string, Behaviour, string]>([
    ["datasetCapabilities", json(200, { ...minted, datasetCapabilities: [] }), "expected an object"],
    [
      "orgCapabilities",
      json(200, { ...minted, orgCapabilities: { users: {} } }),
      "expected an object of arrays of strings",
    ],
    ["expiresAt", json(200, { ...minted, expiresAt: 1_800_000_000 }), "expected string"],
    ["description", json(200, { ...minted, description: ["x"] }), "expected string"],
    ["name", json(200, { id: "t1", token: minted.token }), "expected string"],
    [
      "datasetCapabilities",
      raw(`{"id":"t1","name":"ci","token":"${minted.token}","datasetCapabilities":${deep}}`),
      "expected fewer levels of nesting",
    ],
  ])("%s", async (field, behaviour, problem) => {
    await using service = await startService(behaviour);
    const token = await connect(service.url).tokens.create({ name: "ci" });
    expect(token).toMatchObject({ id: "t1", token: minted.token, odd: { [field]: problem } });
    expect(token).not.toHaveProperty(field === "name" ? "never" : field);
    expect(service.calls).toHaveLength(1);
  });

  test("an unknown field of any depth is dropped silently", async () => {
    await using service = await startService(raw(`{"id":"t1","name":"ci","token":"x","more":${deep}}`));
    expect(await connect(service.url).tokens.create({ name: "ci" })).toEqual({ id: "t1", name: "ci", token: "x" });
  });
});

/** A text that means something to the engine of Pulumi, which this client knows nothing about. */
const marker = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

test.each([
  ["half of a character in both", "t\\ud83d1", "xaat-\\ud83d", "t\ud83d1", "xaat-\ud83d"],
  ["a text that means something elsewhere", marker, marker, marker, marker],
  ["characters that are not printed", "t\\u0000\\u202e", "x\\u007f\\ufeff", "t\u0000\u202e", "x\u007f\ufeff"],
])("a create returns the id and the secret unchanged: %s", async (_, writtenId, writtenSecret, id, token) => {
  await using service = await startService(raw(`{"id":"${writtenId}","name":"ci","token":"${writtenSecret}"}`));
  expect(await connect(service.url).tokens.create({ name: "ci" })).toEqual({ id, name: "ci", token });
});

test("a list keeps every entry with an id, and names its odd fields", async () => {
  const odd = { id: "t2", name: "odd", orgCapabilities: { users: "all" } };
  await using service = await startService(json(200, [{ id: "t1", name: "ci" }, odd, { id: 7, name: "x" }, "t4"]));
  const tokens = await connect(service.url).tokens.list();
  expect(tokens.map(({ id, name }) => `${id} ${name}`)).toEqual(["t1 ci", "t2 odd"]);
  expect(tokens.odd).toEqual([
    { index: 1, id: "t2", odd: { orgCapabilities: "expected an object of arrays of strings" } },
    { index: 2, odd: { id: "expected a string that is not empty" } },
    { index: 3, odd: { entry: "expected an object" } },
  ]);
});

test("the request that an answer to a query repeats is not judged, whatever its form", async () => {
  const nested = `{"filter":${'{"op":"and","children":['.repeat(20_000)}${"]}".repeat(20_000)}}`;
  for (const request of ['{"aggregations":7,"limit":"all"}', nested]) {
    await using service = await startService(raw(`{"status":{},"buckets":{},"request":${request}}`));
    expect(await connect(service.url).queries.apl({ apl: "['web']" })).toHaveProperty("request");
  }
});
