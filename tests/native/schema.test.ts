import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { dynamicToken } from "../../framework/package";
import { resourceDefinitions } from "../../provider/nouns";
import { thisPackage } from "../../provider/strings";
import { settingKeys } from "../../sdk/settings";
import { CHECKOUT } from "../support/program";

const text = readFileSync(join(CHECKOUT, "schema.json"), "utf8");
const schema = JSON.parse(text);

test("every resource takes over the state of its dynamic form, a deployment's annotation apart", () => {
  const aliases = Object.entries<{ aliases?: { type: string }[] }>(schema.resources).map(
    ([token, { aliases = [] }]) => [token.slice(token.lastIndexOf(":") + 1), aliases.map(({ type }) => type)],
  );
  const names = Object.keys(resourceDefinitions);
  // That one is a component there, with a resource in it.
  const aliasesOf = (name: string) => (name === "DeploymentAnnotation" ? [] : [dynamicToken(thisPackage, name)]);
  expect(Object.fromEntries(aliases)).toEqual(Object.fromEntries(names.map((name) => [name, aliasesOf(name)])));
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

test("a provider takes every setting, and every member of a resource is described", () => {
  expect(Object.keys(schema.provider.inputProperties).sort()).toEqual([...settingKeys].sort());
  const bare = Object.entries<Record<"properties" | "inputProperties", Record<string, { description?: string }>>>(
    schema.resources,
  ).flatMap(([token, one]) =>
    Object.entries({ ...one.properties, ...one.inputProperties })
      .filter(([, property]) => !property.description)
      .map(([key]) => `${token}.${key}`),
  );
  expect(bare).toEqual([]);
});

// The generated Python code takes an output of any type for a dict, and refuses a text.
test("no function has an output of any type", () => {
  const found = Object.entries<{ outputs: { properties?: Record<string, { $ref?: string }> } }>(
    schema.functions,
  ).flatMap(([token, { outputs }]) =>
    Object.entries(outputs.properties ?? {})
      .filter(([, output]) => output.$ref === "pulumi.json#/Any")
      .map(([key]) => `${token}.${key}`),
  );
  expect(found).toEqual([]);
});
