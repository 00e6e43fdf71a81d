import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { findTypeErrors, keepForTypeCheck, variable } from "../support/programTypes";

const before = process.env[variable];
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "programs-"));
  process.env[variable] = join(folder, "programs");
});
afterEach(async () => {
  process.env[variable] = before;
  await rm(folder, { recursive: true });
});

const program = (argument: string) => `import { ApiToken } from "pulumi-event-datasets";
const ci = new ApiToken("ci", { ${argument} });
export const id = ci.id;
`;

test("a run whose programs compile has nothing to say, and one without programs neither", () => {
  expect(findTypeErrors()).toBe("");
  keepForTypeCheck(program('description: "one"'));
  keepForTypeCheck(program('description: "two"'));
  expect(findTypeErrors()).toBe("");
});

test("a program that does not compile is named with what is wrong", () => {
  keepForTypeCheck(program('description: "one"'));
  keepForTypeCheck(program("description: 1"));
  expect(findTypeErrors()).toMatch(/^[0-9a-f]{12}\.ts\(2,\d+\): error TS2322: .*\n$/s);
});
