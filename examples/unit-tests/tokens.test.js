// With mocks nothing leaves the process. With the emulator the real client calls a real service on loopback. Any test runner
// works; this is the one of Node.js.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { startEmulator } from "event-datasets-emulator/testing";
import { EventDatasets } from "pulumi-event-datasets/sdk";

const declared = [];

await pulumi.runtime.setMocks({
  newResource(args) {
    declared.push(args);
    return { id: `${args.name}-id`, state: args.inputs };
  },
  // `call` receives lookups, by the name of the function.
  call: ({ token }) =>
    token === "event-datasets:index:getTokens" ? { tokens: [{ id: "t1", name: "by hand: web" }] } : {},
});
const { declareMissingTokens } = await import("./tokens.js");

test("a service with a token created by hand gets no other token", async () => {
  const [api, ...others] = await declareMissingTokens(["web", "api"]);
  assert.equal(others.length, 0);
  await new Promise((resolve) => api?.urn.apply(resolve));
  assert.deepEqual(
    declared.map(({ name, inputs }) => [name, inputs.datasetCapabilities]),
    [["api", { api: { ingest: ["create"] } }]],
  );
});

test("a created token is in the list", async (t) => {
  const emulator = await startEmulator();
  const client = new EventDatasets({ baseUrl: emulator.baseUrl, accessToken: emulator.accessToken });
  t.after(() => client.close().then(() => emulator.stop()));
  const { id } = await client.tokens.create({ name: "ci", orgCapabilities: { apiTokens: ["read"] } });
  const tokens = await client.tokens.list();
  assert.deepEqual(
    tokens.map((token) => token.id),
    [id],
  );
});
