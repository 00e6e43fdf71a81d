import { expect, test } from "@jest/globals";
import ts from "typescript";
import { printProgram } from "../../cli/tokenProgram";
import { EventDatasets, type Token } from "../../sdk";
import { cli } from "../support/cli";
import { startTemporaryEmulator } from "../support/deployment";

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

test("filters select the printed tokens, and no match is an error", async () => {
  await using service = await startTemporaryEmulator();
  await using client = new EventDatasets({ baseUrl: service.url, accessToken: service.rootToken });
  await client.tokens.create({ name: "ci", orgCapabilities: { apiTokens: ["read"] } });
  const { id } = await client.tokens.create({ name: "web", expiresAt: "2030-01-01T00:00:00Z" });
  await client.tokens.create({ name: "old", expiresAt: "2020-01-01T00:00:00Z" });
  const env = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: service.rootToken };
  const printList = async (...args: string[]) =>
    [...(await cli(["tokens", "adopt", ...args], { env })).stdout.matchAll(/ApiToken\("(\w+)"/g)].map(
      (match) => match[1],
    );
  expect(await printList()).toEqual(["ci", "web"]);
  expect(await printList("--name", "w*")).toEqual(["web"]);
  expect(await printList("--id", id)).toEqual(["web"]);
  expect(await cli(["tokens", "adopt", "--name", "none"], { env })).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("no live token"),
  });
});
