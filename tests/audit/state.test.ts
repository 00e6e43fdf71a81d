import { describe, expect, test } from "@jest/globals";
import { readState } from "../../audit";
import { typeToken } from "../../provider/dynamic/strings";
import { encrypted, exportOf } from "../support/states";

test("a state's tokens are read, and neither its secrets nor what else it holds", () => {
  const state = exportOf({ tokens: [{ id: "t1", name: "ci", inputs: { description: encrypted, later: [1] } }] });
  const { tokens, pending } = readState(state, "prod");
  expect(tokens).toMatchObject([{ id: "t1", awaitsDeletion: false, inputs: { name: "ci", later: [1] } }]);
  expect(tokens[0]?.declaration).toEqual({
    stack: "web/prod",
    urn: "urn:pulumi:prod::web::pulumi-nodejs:event-datasets:ApiToken::ci",
    source: "prod",
  });
  expect(tokens[0]?.outputs).not.toHaveProperty("token");
  expect(JSON.stringify(tokens)).not.toMatch(/ciphertext|exports\.handler/);
  expect(pending).toEqual([]);
});

test("a token of the plugin for every language is a token of the state", () => {
  const { deployment, ...rest } = exportOf({ tokens: [{ id: "t1", name: "ci" }] });
  const type = "event-datasets:index:ApiToken";
  const resources = deployment.resources.map((one) => ("id" in one ? { ...one, type } : one));
  expect(readState({ ...rest, deployment: { ...deployment, resources } }, "prod").tokens).toMatchObject([{ id: "t1" }]);
});

test("only unfinished creates of tokens are pending", () => {
  const { deployment, ...rest } = exportOf({ pending: [{ name: "ci" }] });
  const [operation] = deployment.pending_operations ?? [];
  const others = [
    { ...operation, type: "deleting" },
    { type: "creating", resource: { ...operation?.resource, type: "aws:s3/bucket:Bucket" } },
  ];
  const state = { ...rest, deployment: { ...deployment, pending_operations: [...others, operation] } };
  expect(readState(state, "prod").pending).toMatchObject([{ inputs: { name: "ci" } }]);
});

describe("a stack", () => {
  test.each([
    ["that was never deployed", { version: 3, deployment: { manifest: {} } }],
    ["whose checkpoint is empty", { version: 3, checkpoint: { stack: "prod", latest: null } }],
    ["whose lists are null", { version: 4, deployment: { resources: null, pending_operations: null } }],
  ])("%s declares nothing", (_, state) => {
    expect(readState(state, "prod")).toEqual({ source: "prod", tokens: [], pending: [] });
  });

  const resources = (...all: unknown[]) => ({ version: 3, deployment: { resources: all } });
  const type = typeToken("ApiToken");
  test.each([
    ["null", null],
    ["a list", []],
    ["an object of another kind", { name: "pulumi-event-datasets", version: 3 }],
    ["of an unknown version", { version: 2, deployment: {} }],
    ["without a version", { deployment: {} }],
    ["with resources that are not a list", { version: 3, deployment: { resources: { secret: 1 } } }],
    ["with a resource that is not an object", resources("secret")],
    ["with a token without an id", resources({ type, urn: "urn:pulumi:prod::web::x::secret" })],
    ["with a token without a URN", resources({ type, id: "secret" })],
  ])("that is %s is an error that quotes nothing of it, never an empty stack", (_, state) => {
    expect(() => readState(state, "the file")).toThrow(
      /^the file: not the state of a stack: (?!.*secret).*Nothing was audited\.$/,
    );
  });
});
