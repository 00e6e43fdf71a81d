import { expect, test } from "@jest/globals";
import { ignoreArguments } from "../../framework/program/transforms";
import { apiTokenDefinition } from "../../provider/nouns/apiToken/definition";

test("ignoreChanges of everything names the arguments and what was recorded of their secrecy, and never the key", () => {
  const { ignoreChanges } = ignoreArguments(apiTokenDefinition, { ignoreChanges: ["*", "tags"] }) ?? {};
  expect(ignoreChanges).toEqual(expect.arrayContaining(["tags", "name", "rotation", "chosenName", "secretInputs"]));
  for (const name of ["*", "key", "token", "record"]) expect(ignoreChanges).not.toContain(name);
  expect(ignoreArguments(apiTokenDefinition, { ignoreChanges: ["name"] })).toBeUndefined();
});
