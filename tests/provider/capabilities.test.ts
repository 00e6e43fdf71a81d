import { expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { capabilities } from "../../provider/apiToken/capabilities";

test("a preset gives exactly what it names", () => {
  expect(capabilities.ingest("deploys", "web")).toEqual({
    datasetCapabilities: { deploys: { ingest: ["create"] }, web: { ingest: ["create"] } },
  });
  expect(capabilities.query("web")).toEqual({ datasetCapabilities: { web: { query: ["read"] } } });
  expect(capabilities.queryViews("errors")).toEqual({ viewCapabilities: { errors: { query: ["read"] } } });
  expect(capabilities.annotate()).toEqual({ orgCapabilities: { annotations: ["create"] } });
  expect(capabilities.readTokens()).toEqual({ orgCapabilities: { apiTokens: ["read"] } });
  expect(capabilities.manageTokens()).toEqual({ orgCapabilities: { apiTokens: ["create", "read"] } });
});

test("presets merge into the union of what they name, and stay as they are themselves", () => {
  const ingest = capabilities.ingest("web");
  const merged = capabilities.merge(
    ingest,
    capabilities.query("web", "api"),
    capabilities.readTokens(),
    capabilities.manageTokens(),
  );
  expect(merged).toEqual({
    datasetCapabilities: { web: { ingest: ["create"], query: ["read"] }, api: { query: ["read"] } },
    orgCapabilities: { apiTokens: ["read", "create"] },
  });
  expect(ingest).toEqual(capabilities.ingest("web"));
  expect(capabilities.merge()).toEqual({});
});

test.each([["*"], ["web-*"], [""]])("the name %j would be wider than a name", (name) => {
  expect(() => capabilities.ingest("web", name)).toThrow("none may be empty or hold a *");
});

/** The value of an output. */
const resolve = <T>(output: pulumi.Output<T>) => (output as pulumi.Output<T> & { promise(): Promise<T> }).promise();

test("a name can be an output, and so can what is merged with it", async () => {
  const { datasetCapabilities } = capabilities.ingest(pulumi.output("web"), "api");
  expect(await resolve(datasetCapabilities)).toEqual({ web: { ingest: ["create"] }, api: { ingest: ["create"] } });

  const merged = capabilities.merge(
    capabilities.ingest(pulumi.output("web")),
    capabilities.query("web"),
    { orgCapabilities: { apiTokens: [pulumi.output("read")] } },
    capabilities.manageTokens(),
  );
  expect(await resolve(pulumi.output(merged))).toEqual({
    datasetCapabilities: { web: { ingest: ["create"], query: ["read"] } },
    orgCapabilities: { apiTokens: ["read", "create"] },
  });
  expect(capabilities.merge(capabilities.query("web"))).toEqual({ datasetCapabilities: { web: { query: ["read"] } } });
});

test.each<[object, object, unknown]>([
  [{ a: true }, { a: false }, { a: true }],
  [
    { a: undefined, b: null },
    { a: ["read"], b: 1 },
    { a: ["read"], b: 1 },
  ],
  [{ a: [{ x: 1 }] }, { a: [{ x: 1 }, { x: 2 }] }, { a: [{ x: 1 }, { x: 2 }] }],
])("%j and %j merge into %j", (a, b, both) => {
  const merged = capabilities.merge({ datasetCapabilities: { web: a } }, undefined, {
    datasetCapabilities: { web: b },
  });
  expect(merged).toEqual({ datasetCapabilities: { web: both } });
});

test.each<[object, object]>([
  [{ a: "one" }, { a: "two" }],
  [{ a: "one" }, { a: ["one"] }],
  [{ a: true }, { a: "true" }],
  [{ a: { b: 1 } }, { a: [1] }],
])("%j and %j cannot be merged, and the error says where", (a, b) => {
  expect(() => capabilities.merge({ datasetCapabilities: { web: a } }, { datasetCapabilities: { web: b } })).toThrow(
    "capabilities.merge: datasetCapabilities.web.a has two values that do not go together",
  );
});
