import { describe, expect, test } from "@jest/globals";
import { readState } from "../../audit";
import { notKnown } from "../../framework/unknown";
import { apiTokenTypes } from "../../provider/nouns/apiToken/definition";
import { credential, encrypted, exportOf } from "../support/states";

test("a state's tokens are read, and neither its secrets nor what else it holds", () => {
  const state = exportOf({ tokens: [{ id: "t1", name: "ci", inputs: { description: encrypted, later: [1] } }] });
  const { tokens, pending } = readState(state, "prod");
  expect(tokens).toMatchObject([
    { id: "t1", awaits: undefined, isRetained: false, inputs: { name: "ci", later: [1] } },
  ]);
  expect(tokens[0]?.declaration).toEqual({
    stack: "web/prod",
    urn: "urn:pulumi:prod::web::pulumi-nodejs:event-datasets:ApiToken::ci",
    source: "prod",
  });
  expect(tokens[0]?.outputs).not.toHaveProperty("token");
  expect(JSON.stringify(tokens)).not.toMatch(/ciphertext|module\.exports/);
  expect(pending).toEqual([]);
});

test("a token's record is read, and of one that somebody edited what has its form", () => {
  const recordOf = (record: object, evidence: unknown, more: object = {}) =>
    readState(
      exportOf({ tokens: [{ id: "t1", name: "ci", outputs: { evidence, ...more }, record: { ...record } }] }),
      "prod",
    ).tokens[0]?.record;
  const declared = { description: encrypted };
  const replaced = [{ id: "t0", ends: "later", until: "2027-01-01T00:00:00Z" }, { id: "t9" }];
  const text = `tp1r80 ${credential} t2 a%20b%7Cc`;
  expect(recordOf({ declared, drifted: ["description"], replaced }, text, { incomplete: "no secret" })).toEqual({
    evidence: { created: new Date("2026-11-25T07:24:00Z"), credential, beside: ["t2", "a b|c"] },
    isLost: true,
    declared: { description: notKnown },
    drifted: ["description"],
    replaced: [
      { id: "t0", isKept: true, until: "2027-01-01T00:00:00Z" },
      { id: "t9", isKept: false, until: undefined },
    ],
    isHidden: false,
  });
  const edited = { declared: [], drifted: [1] };
  expect(
    recordOf({ ...edited, replaced: [null, "t0", { id: 7 }, { id: "" }, { id: "t0", ends: 1, until: 2 }] }, ["t2"]),
  ).toEqual({
    evidence: { created: undefined, credential: undefined, beside: [] },
    isLost: false,
    declared: {},
    drifted: [],
    replaced: [{ id: "t0", isKept: false, until: undefined }],
    isHidden: false,
  });
});

test("a token of the plugin for every language is a token of the state", () => {
  const { deployment, ...rest } = exportOf({ tokens: [{ id: "t1", name: "ci" }] });
  const type = "event-datasets:index:ApiToken";
  const resources = deployment.resources.map((one) => ("id" in one ? { ...one, type } : one));
  expect(readState({ ...rest, deployment: { ...deployment, resources } }, "prod").tokens).toMatchObject([{ id: "t1" }]);
});

test("resources of other types are listed by their ids; a lookup and a resource that awaits its deletion declare nothing", () => {
  const { deployment, ...rest } = exportOf({ tokens: [{ id: "t1", name: "ci" }] });
  const bridged = { custom: true, type: "axiom:index/token:Token" };
  const urnOf = (name: string) => `urn:pulumi:prod::web::axiom:index/token:Token::${name}`;
  const resources = [
    ...deployment.resources,
    { ...bridged, id: "t2", urn: urnOf("bridged") },
    { ...bridged, id: "t3", urn: urnOf("replaced"), pendingReplacement: true },
    { ...bridged, id: "t4", urn: urnOf("lookup"), external: true },
    { ...bridged, id: "t5", urn: urnOf("old"), delete: true },
    { ...bridged, urn: urnOf("failed") },
    { ...bridged, id: "t6", urn: urnOf("component"), custom: false },
  ];
  const { others } = readState({ ...rest, deployment: { ...deployment, resources } }, "prod");
  expect(others).toMatchObject([
    { id: "t2", type: "axiom:index/token:Token", declaration: { urn: urnOf("bridged") }, token: { id: "t2" } },
    { id: "t3", type: "axiom:index/token:Token", declaration: { urn: urnOf("replaced") } },
  ]);
  expect(others[1]).not.toHaveProperty("token"); // it is deleted, so nothing is compared with it
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
    expect(readState(state, "prod")).toMatchObject({ identity: {}, tokens: [], pending: [], lookups: [] });
  });

  const resources = (...all: unknown[]) => ({ version: 3, deployment: { resources: all } });
  const [type] = apiTokenTypes;
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

test("a checkpoint names its stack in full, an exported state its project, and both the time", () => {
  const { deployment, version } = exportOf({ tokens: [{ id: "t1", name: "ci" }] });
  const checkpoint = { version, checkpoint: { stack: "organization/web/prod", latest: deployment } };
  expect(readState({ version, deployment }, "prod")).toMatchObject({
    identity: { project: "web", stack: "prod" },
    time: "2026-11-21T12:00:00Z",
  });
  expect(readState(checkpoint, "prod")).toMatchObject({
    identity: { organization: "organization", project: "web", stack: "prod" },
    time: "2026-11-21T12:00:00Z",
  });
});

test("a token that a program looks up is read as that, and declares nothing", () => {
  const state = exportOf({ tokens: [{ id: "t1", name: "ci", more: { external: true } }] });
  const { tokens, lookups } = readState(state, "prod");
  expect(tokens).toEqual([]);
  expect(lookups).toMatchObject([{ id: "t1", declaration: { stack: "web/prod" } }]);
});

test("a state that is nested too deeply is an error that names the file", () => {
  let deep: unknown = [];
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  const tokens = [{ id: "t1", name: "ci", inputs: { datasetCapabilities: { web: deep } } }];
  expect(() => readState(exportOf({ tokens }), "deep.json")).toThrow(
    "deep.json: not the state of a stack: a token in it is nested more than 200 levels deep",
  );
});
