import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { schema } from "./toyPackage";

const root = join(__dirname, "../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

test("the code in the framework's README is that of the toy and its test, which run", () => {
  const flat = (code: string) => code.replace(/^ +/gm, "");
  const toy = flat(read("tests/framework/toy.ts") + read("tests/framework/author.test.ts"));
  const snippets = [...read("framework/README.md").matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) =>
    code.trimEnd(),
  );
  expect(snippets.length).toBeGreaterThan(5);
  for (const code of snippets) expect(toy).toContain(flat(code));
});

test("the framework has no word of the service", () => {
  const files = readdirSync(join(root, "framework"), { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const words = /api ?tokens?\b|axiom|annotation|dataset|capabilit|\bapl\b|sealFor/i;
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => words.test(read(join("framework", file))))).toEqual([]);
});

test("the schema has the doc comments, the secrets and what replaces", () => {
  const { resources, provider } = schema;
  expect(resources).toMatchObject({
    "toy:index:Counter": {
      description: "A number that only grows.",
      inputProperties: { start: { type: "number", description: "The first number.", willReplaceOnChanges: true } },
      requiredInputs: ["start"],
      properties: { secretKey: { type: "string", secret: true } },
      aliases: [{ type: "pulumi-nodejs:toy:Counter" }],
    },
  });
  expect(provider.inputProperties).toMatchObject({
    password: { description: "Password of the account.", secret: true },
  });
});
