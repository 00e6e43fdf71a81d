import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { type ResourceType, typeToken } from "../../provider/dynamic/strings";
import { settingKeys } from "../../sdk/settings";
import { CHECKOUT } from "../support/program";

const text = readFileSync(join(CHECKOUT, "schema.json"), "utf8");
const schema = JSON.parse(text);

test("the schema is what the classes and argument types of TypeScript programs say, types, secrets and texts", () => {
  const made = execFileSync(process.execPath, [join(CHECKOUT, "scripts/schema.mjs"), "--print"], { encoding: "utf8" });
  expect(made).toBe(text);
});

test("every resource takes over the state of its dynamic form, a deployment's annotation apart", () => {
  const aliases = Object.entries<{ aliases?: { type: string }[] }>(schema.resources).map(
    ([token, { aliases = [] }]) => [token.slice(token.lastIndexOf(":") + 1), aliases.map(({ type }) => type)],
  );
  expect(Object.fromEntries(aliases)).toEqual({
    ...Object.fromEntries(
      ["ApiToken", "Annotation", "QueryGate"].map((type) => [type, [typeToken(type as ResourceType)]]),
    ),
    DeploymentAnnotation: [],
  });
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
