import { expect, test } from "@jest/globals";
import ts from "typescript";
import { printProgram } from "../../cli/tokens/adopt";
import type { Token } from "../../sdk";
import { stackOf, useAuditFolder } from "../support/auditFolder";
import { json, startService } from "../support/service";

const hostile: Token = {
  id: "t1",
  name: 'x"); process.exit(1); ("',
  description: "`$" + "{process.env.HOME}`\n\u001b[31m\u202e\u2028*/",
  expiresAt: "2030-01-01T00:00:00Z",
  datasetCapabilities: JSON.parse(
    '{"__proto__":{"query":["read"]},"a b":{"ingest":["create"],"deep":{"list":[1,null,true]}}}',
  ),
  orgCapabilities: { apiTokens: ["create", "read"], annotations: ["create"] },
};

test("the program declares each token unchanged, adopts it by id, and gives equal names different resources", () => {
  const { description: _, ...plain } = { ...hostile, name: "ci", datasetCapabilities: {} };
  expect(printProgram([plain, { id: "t2", name: "ci" }])).toBe(`import { ApiToken } from "pulumi-event-datasets";

new ApiToken("ci", {
  name: "ci",
  expiresAt: "2030-01-01T00:00:00Z",
  datasetCapabilities: {},
  orgCapabilities: {
    apiTokens: [
      "create",
      "read"
    ],
    annotations: [
      "create"
    ]
  },
  adopt: { id: "t1" },
});

new ApiToken("ci-t2", {
  name: "ci",
  adopt: { id: "t2" },
});`);
});

test("the zero time of a client that has no expiry is declared as none", () => {
  expect(printProgram([{ id: "t1", name: "ci", expiresAt: "0001-01-01T00:00:00Z" }])).not.toContain("expiresAt");
});

test("no name or description becomes code or reaches the terminal: the program declares exactly what the token is", () => {
  const text = printProgram([hostile]);
  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  const made: unknown[] = [];
  class ApiToken {
    constructor(_: string, args: unknown) {
      made.push(args);
    }
  }
  const { outputText } = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  new Function("exports", "require", outputText)({}, () => ({ ApiToken }));
  const { id, name, ...fields } = hostile;
  expect(JSON.stringify(made)).toBe(JSON.stringify([{ name, ...fields, adopt: { id } }]));
});

const expiresAt = "2999-01-01T00:00:00Z";
const folder = useAuditFolder();

const adopt = ["tokens", "adopt"];
const idsIn = (stdout: string) => stdout.match(/\bid: "\d"/g);

test("tokens that a stack declares or has replaced are left out, and a message names the resource", async () => {
  const [first] = stackOf("acme/web/prod", "1").tokens;
  const record = { replaced: [{ id: "2", ends: "later", until: expiresAt }] };
  const waiting = { id: "3", name: "t3", inputs: { expiresAt }, more: { delete: true } };
  const cli = { stacks: [{ name: "acme/web/prod", tokens: [{ ...first, name: "t1", record }, waiting] }] };
  const { code, stdout, stderr } = await folder.runBeside(cli, ["1", "2", "3", "4"], adopt);
  expect([code, idsIn(stdout)]).toEqual([0, ['id: "4"']]);
  expect(stderr).toContain("left out: 1: declared by urn:pulumi:prod::web::");
  expect(stderr).toContain("left out: 2: replaced by 1 (urn:pulumi:prod::web::");
  expect(stderr).toContain("left out: 3: its deletion is pending (urn:pulumi:prod::web::");
  expect(await folder.runBeside(cli, ["2"], adopt)).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("nothing to adopt: all of these tokens were left out"),
  });
});

test("without the stacks it prints the tokens of the stacks that it could not read, too, and says so", async () => {
  const { code, stdout, stderr } = await folder.runBeside({ stacks: [], listFails: "no login" }, ["1", "2"], adopt);
  expect([code, idsIn(stdout)]).toEqual([0, ['id: "1"', 'id: "2"']]);
  expect(stderr).toContain("tokens of stacks that could not be read are printed as well");
});

test("a token with a field of unknown form is left out; a capability that is not known is declared as it is", async () => {
  const list = [
    { id: "1", name: "t1", expiresAt, orgCapabilities: "all" },
    { id: "2", name: "t2", expiresAt, orgCapabilities: { rbac: ["grant"] } },
  ];
  await using service = await startService(json(200, list));
  const { stdout, stderr } = await folder.run(adopt, service, { EVENT_DATASETS_PROFILE: "extended" });
  expect(idsIn(stdout)).toEqual(['id: "2"']);
  expect(stdout).toContain('"grant"');
  expect(stderr).toContain("left out: 1: some of its fields cannot be read, so no program can declare them: orgCap");
});

test("filters select the printed tokens, of which none has expired, and no match is an error", async () => {
  const list = [
    { id: "1", name: "ci" },
    { id: "2", name: "web", expiresAt },
    { id: "3", name: "old", expiresAt: "2020-01-01T00:00:00Z" },
  ];
  await using service = await startService(json(200, list));
  const print = (...args: string[]) => folder.run([...adopt, ...args], service);
  expect(idsIn((await print()).stdout)).toEqual(['id: "1"', 'id: "2"']);
  expect(idsIn((await print("--name", "w*")).stdout)).toEqual(['id: "2"']);
  expect(idsIn((await print("--id", "2")).stdout)).toEqual(['id: "2"']);
  const none = { code: 2, stdout: "", stderr: expect.stringContaining("no live token") };
  expect(await print("--name", "none")).toMatchObject(none);
});
