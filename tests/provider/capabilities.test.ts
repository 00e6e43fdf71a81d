import { expect, test } from "@jest/globals";
import { capabilities } from "../../provider/capabilities";

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
