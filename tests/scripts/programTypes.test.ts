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

test("a run without programs has nothing to say", () => {
  expect(findTypeErrors()).toBe("");
});

// Every run of the tests shows that programs without an error are accepted.
test("only the program that does not compile is named, with what is wrong", () => {
  keepForTypeCheck(program('description: "one"'));
  keepForTypeCheck(program("description: 1"));
  expect(findTypeErrors()).toMatch(/^[0-9a-f]{12}\.ts\(2,\d+\): error TS2322: [^\n]*\n(?: [^\n]*\n)*$/);
});
