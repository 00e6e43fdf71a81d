import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { namesWhere } from "../../framework/definition";
import { dynamicToken } from "../../framework/package";
import { usualDurations } from "../../gate/durations";
import { resourceDefinitions } from "../../provider/eventDatasets";
import { thisPackage } from "../../provider/shared/strings";
import { deadlineKinds } from "../../sdk/operations";
import { profiles } from "../../sdk/profiles";
import { settingKeys } from "../../sdk/settings";
import { parseDuration } from "../../values/duration";
import { CHECKOUT } from "../support/program";

const text = readFileSync(join(CHECKOUT, "schema.json"), "utf8");
const schema = JSON.parse(text);

test("every resource takes over the state of its dynamic form", () => {
  const aliases = Object.entries<{ aliases?: { type: string }[] }>(schema.resources).map(
    ([token, { aliases = [] }]) => [token.slice(token.lastIndexOf(":") + 1), aliases.map(({ type }) => type)],
  );
  const names = Object.keys(resourceDefinitions);
  expect(Object.fromEntries(aliases)).toEqual(
    Object.fromEntries(names.map((name) => [name, [dynamicToken(thisPackage, name)]])),
  );
});

test("what is secret is marked, and nothing else", () => {
  const found: string[] = [];
  const look = (value: unknown, path: string) => {
    if (typeof value !== "object" || value === null) return;
    if ("secret" in value && value.secret === true) found.push(path);
    for (const [key, member] of Object.entries(value)) look(member, `${path}/${key}`);
  };
  look(schema, "");
  expect(found).toEqual([
    "/config/variables/accessToken",
    "/types/event-datasets:index:ApiTokenAdopt/properties/token",
    "/provider/inputProperties/accessToken",
    "/resources/event-datasets:index:ApiToken/properties/token",
  ]);
});

test("a provider takes every setting", () => {
  expect(Object.keys(schema.provider.inputProperties).sort()).toEqual([...settingKeys].sort());
});

test("a closed list of words is an enum, and a default is the one of the code", () => {
  const enums = Object.entries<{ enum?: { value: string }[] }>(schema.types).flatMap(([token, type]) =>
    type.enum ? [[token.slice(token.lastIndexOf(":") + 1), type.enum.map(({ value }) => value)]] : [],
  );
  expect(Object.fromEntries(enums)).toEqual({
    ApiTokenRetire: ["revoke", "expire"],
    DatasetKind: ["axiom:events:v1", "otel:logs:v1", "otel:traces:v1", "otel:metrics:v1"],
    DeploymentAnnotationPer: ["commit", "run"],
    ProviderProfile: [...profiles],
    QueryAplFormat: ["legacy", "tabular"],
    QueryGateNoData: ["fail", "pass"],
    QueryGateWarnings: ["fail", "show"],
  });
  const [gate, settings] = [schema.resources["event-datasets:index:QueryGate"].inputProperties, schema.provider];
  expect({ for: gate.for.default, noData: gate.noData.default }).toEqual({ for: usualDurations.for, noData: "fail" });
  const seconds = ["call", "list", "query"].map((kind) => settings.inputProperties[`${kind}Deadline`].default);
  expect(seconds.map((text) => parseDuration(text)?.milliseconds)).toEqual(
    Object.values(deadlineKinds).map(({ limit }) => limit),
  );
  // In Node.js, a config variable that is an enum would be read as JSON.
  const { profile } = schema.config.variables;
  // A default here would be sent, and win over the default for the base URL.
  expect([profile.type, profile.default]).toEqual(["string", undefined]);
});

test("a property that always replaces the resource says so", () => {
  const replacing = Object.entries<{ inputProperties: Record<string, { willReplaceOnChanges?: true }> }>(
    schema.resources,
  ).map(([token, { inputProperties }]) => [
    token.slice(token.lastIndexOf(":") + 1),
    Object.keys(inputProperties)
      .filter((key) => inputProperties[key]?.willReplaceOnChanges)
      .sort(),
  ]);
  const always = Object.entries(resourceDefinitions).map(([name, definition]) => [
    name,
    namesWhere(definition, ({ kind, replaces }) => kind === undefined && replaces === true).sort(),
  ]);
  expect(Object.fromEntries(replacing)).toEqual(Object.fromEntries(always));
  // Its fields replace it in the documented profile only.
  expect(Object.fromEntries(always)).toMatchObject({
    Annotation: ["triggers"],
    DeploymentAnnotation: ["commit", "per"],
  });
});
