import { readFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { useAuditFolder } from "../support/auditFolder";
import { rulesOff } from "../support/audits";
import { type Behaviour, json, type ScriptedService, startService } from "../support/service";
import { exportOf } from "../support/states";
import { schemaProblems } from "./schemas";

const token = { id: "t1", name: "by hand", description: null, expiresAt: "2999-01-01T00:00:00Z" };
const policyFile = "event-datasets.audit.json";

const folder = useAuditFolder();
const schemaOf = async (name: string) =>
  JSON.parse(await readFile(path.join(__dirname, `../../audit/schemas/audit-${name}.v1.json`), "utf8"));

const state = ["--state", "state.json"];
const audit = (service: Pick<ScriptedService, "url">, args: readonly string[] = [], env: Record<string, string> = {}) =>
  folder.run(["audit", ...state, ...args], service, env);

describe("an audit that could not check says so with exit code 2, prints no report and leaves none of an earlier run", () => {
  const reports = ["--output", "json=r.json", "--output=markdown=r.md"];

  async function expectUnknown(behaviour: Behaviour, args: readonly string[], reason: string, env = {}) {
    await using service = await startService(behaviour);
    for (const name of ["r.json", "r.md"]) await folder.write(name, "clean");
    const files = await folder.list();
    const { code, stdout, stderr } = await folder.run(["audit", ...reports, ...args], service, env);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(reason);
    expect(stderr).not.toMatch(/clean|canary/);
    expect(await folder.list()).toEqual(files.filter((name) => !name.startsWith("r.")));
  }

  // How the client takes every other response: tests/faults/client.
  test.each<[string, Behaviour, string]>([
    ["an outage", json(503, { message: "down" }), "503"],
    ["a missing capability", json(403, { message: "no" }), "lacks a capability"],
    ["an unknown credential", json(401, {}), "EVENT_DATASETS_ACCESS_TOKEN) is not valid"],
    ["a token without an id", json(200, [{ name: "x" }]), "lists 1 token without a usable id"],
    ["half a list", (response) => void response.end(JSON.stringify([token]).slice(0, 20)), "not JSON"],
    ["another clock", json(200, [], { date: "Fri, 01 Jan 2100 00:00:00 GMT" }), " s ahead of this machine's"],
    ["a clock behind", json(200, [], { date: "Wed, 01 Jan 2020 00:00:00 GMT" }), " s behind this machine's"],
  ])("after %s", (_, behaviour, reason) => expectUnknown(behaviour, [...state, "--output", "table"], reason));

  test.each<[string, string[], string, object?]>([
    ["what is not a state", ["--state", "other.json"], "other.json: not the state of a stack"],
    ["a state that is cut off", ["--state", "half.json"], "half.json: not valid JSON"],
    ["a compressed state that is cut off", ["--state", "half.json.zst"], "half.json.zst: not valid JSON"],
    ["a damaged compressed state", ["--state", "odd.json.gz"], "odd.json.gz: cannot be unpacked (Z_BUF_ERROR)"],
    ["no state of that name", ["--state", "none.json"], "none.json: cannot be read (ENOENT)"],
    ["no Pulumi", ["--stack", "prod"], "stack prod: the Pulumi CLI is not on PATH"],
    ["no address", state, "EVENT_DATASETS_BASE_URL", { EVENT_DATASETS_BASE_URL: "" }],
    ["no credential", state, "EVENT_DATASETS_ACCESS_TOKEN", { EVENT_DATASETS_ACCESS_TOKEN: "" }],
    ["what is not a policy", [...state, "--policy", "other.json"], "not a policy: version: is missing"],
    ["half a policy", [...state, "--policy", "half.json"], "half.json: not valid JSON"],
    ["a policy without a name", [...state, "--policy="], "--policy: is empty"],
    ["a relative policy", state, "must be an absolute path", { EVENT_DATASETS_POLICY_FILE: "other.json" }],
    ["findings that nobody answers for", [...state, "--write-policy", "p.json"], "--write-policy: needs --owner"],
    ["an owner of nothing", [...state, "--owner", "ops"], "--owner: needs --write-policy"],
    [
      "exceptions that are over",
      [...state, "--write-policy", "p.json", "--owner", "ops", "--until", "2020-01-01"],
      "--until: must be a day in the future",
    ],
    [
      "a file that is not the policy",
      [...state, "--write-policy", "other.json", "--owner", "ops"],
      "already exists, and is not the policy of this audit",
    ],
    ["an unknown option", [...state, "--outptu", "table"], "Unknown option '--outptu'"],
    ["an option without its value", ["--stack"], "its value is missing"],
    ["a surplus argument", [...state, "surplus"], "options only"],
    ["an unknown format", [...state, "--output", "xml"], "--output: must be one of table, json,"],
    ["two reports in one place", [...state, "--output", "json", "--output", "table"], "only one report"],
    ["an unknown severity", [...state, "--fail-on", "fatal"], "--fail-on: must be one of"],
    ["an unusable time", [...state, "--expiring-within", "soon"], "--expiring-within: must be a duration"],
    ["a folder for a report", [...state, "--output", "json=."], "--output json=.: cannot be written (EISDIR)"],
    ["no folder for a report", [...state, "--output", "sarif=no/such/folder.sarif"], "cannot be written (ENOENT)"],
  ])("for %s", async (_, args, reason, env = {}) => {
    await folder.write("other.json", { name: "canary" });
    await folder.write("half.json.zst", zstdCompressSync(JSON.stringify(exportOf({}))).subarray(0, 40));
    await folder.write("odd.json.gz", gzipSync("{}").subarray(0, 12));
    await folder.write("half.json", JSON.stringify(exportOf({})).slice(0, 40));
    await expectUnknown(json(200, []), args, reason, { PATH: "/nonexistent", ...env });
  });
});

test("a clean audit exits with 0, one with findings with 1, and each sends one request", async () => {
  await using empty = await startService(json(200, []));
  expect(await audit(empty)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^clean: 0 live tokens/m) });
  await using service = await startService(json(200, [token]));
  const { code, stdout, stderr } = await audit(service);
  expect([code, service.calls]).toEqual([1, ["GET /v2/tokens"]]);
  expect(stdout).toContain("1 ERROR");
  expect(stderr).toContain("reading state.json");
});

test("a misspelt format leaves no report of an earlier run in its file either", async () => {
  await folder.write("old.sarif", "clean");
  await using service = await startService(json(200, []));
  expect(await audit(service, ["--output", "sarf=old.sarif"])).toMatchObject({ code: 2 });
  expect(await folder.list()).toEqual(["state.json"]);
});

test.each([
  ["state.json.gz", gzipSync],
  ["state.json.zst", zstdCompressSync],
])("a state that the backend compressed, %s, is read as it is", async (name, compress) => {
  await folder.write(name, compress(JSON.stringify(exportOf({ stack: "packed" }))));
  await using service = await startService(json(200, []));
  const { code, stdout } = await folder.run(["audit", "--state", name], service);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`packed from the file ${name}`)]);
});

test("the policy is that of an option, of the environment, or of this folder; --fail-on overrides it, and reports say so", async () => {
  await using service = await startService(json(200, [token]));
  const strict = { version: 1 };
  const lenient = { version: 1, failOn: "none" };
  const judge = async (args: string[] = [], env: Record<string, string> = {}) => {
    const { code, stdout } = await audit(service, ["--output", "json", ...args], env);
    return [code, JSON.parse(stdout).policy];
  };
  expect(await judge()).toEqual([1, "built in"]);
  expect(await judge(["--fail-on", "none"])).toEqual([0, "built in, --fail-on none"]);
  await folder.write(policyFile, lenient);
  expect(await judge()).toEqual([0, policyFile]);
  const named = { EVENT_DATASETS_POLICY_FILE: await folder.write("named.json", strict) };
  expect(await judge([], named)).toEqual([1, "named.json"]);
  expect(await judge(["--policy", policyFile], named)).toEqual([0, policyFile]);
  await folder.write(policyFile, { version: 1, rules: { undeclared: "warning" } });
  expect(await judge()).toEqual([0, policyFile]);
  expect(await judge(["--fail-on", "warning"])).toEqual([1, `${policyFile}, --fail-on warning`]);
});

test("--write-policy accepts today's findings until they end, keeps the policy, and only other findings fail then", async () => {
  const policy = { version: 1, rules: rulesOff(["undeclared"]) };
  await folder.write(policyFile, policy);
  const grown = { ...token, orgCapabilities: { users: ["read"] } };
  const later = [grown, { ...token, id: "t2", name: "new" }];
  await using service = await startService(json(200, [token]), json(200, [token]), json(200, later));
  const args = ["--write-policy", policyFile, "--owner", "ops", "--until", "2999-12-31"];
  expect(await audit(service, args)).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringContaining("1 finding accepted until 2999"),
  });
  const content = JSON.parse(await folder.read(policyFile));
  expect(schemaProblems(await schemaOf("policy"), content)).toEqual([]);
  expect(content).toMatchObject({ ...policy, exceptions: [{ owner: "ops", until: "2999-12-31" }] });
  expect(content.exceptions[0].reason).toMatch(/^undeclared t1, accepted on /);
  expect(await audit(service)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 finding accepted by the policy"),
  });
  const { code, stdout } = await audit(service, ["--output", "json"]);
  expect(code).toBe(1);
  // It gained a capability: that is not what was accepted.
  expect(JSON.parse(stdout).findings).toMatchObject([{ token: { id: "t1" } }, { token: { id: "t2" } }]);
});

test("--write-policy accepts no finding that an exception cannot cover, names it, and fails if the audit does", async () => {
  const odd = { ...token, id: "t2", orgCapabilities: { users: "create" } };
  for (const [failOn, exit] of [
    ["error", 1],
    ["none", 0],
  ] as const) {
    await folder.write(policyFile, { version: 1, rules: rulesOff(["undeclared"]), failOn });
    await using service = await startService(json(200, [token, odd]));
    const { code, stderr } = await audit(service, ["--write-policy", policyFile, "--owner", "ops"]);
    expect([code, stderr]).toEqual([
      exit,
      expect.stringMatching(/: 1 finding accepted .*\n.*undeclared t2: not accepted/),
    ]);
    expect(JSON.parse(await folder.read(policyFile)).exceptions).toHaveLength(1);
  }
});

test("an empty list is not believed if the access token is itself a token of the account", async () => {
  await using service = await startService(json(200, []));
  const env = { EVENT_DATASETS_ACCESS_TOKEN: "xaat-canary-0a1b2c3d4e5f" };
  const { code, stdout, stderr } = await audit(service, [], env);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("lists no tokens, not even the access token in use, which is an API token");
});

test.each([
  ["a byte order mark", (text: string) => Buffer.from(`\ufeff${text}`)],
  ["UTF-16, as PowerShell writes it", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")],
])("states and policies can have %s", async (_, encode) => {
  await folder.write("state.json", encode(JSON.stringify(exportOf({}))));
  await folder.write(policyFile, encode(JSON.stringify({ version: 1, failOn: "none" })));
  await using service = await startService(json(200, [token]));
  expect(await audit(service)).toMatchObject({ code: 0, stdout: expect.stringContaining("1 ERROR") });
});

test("several reports at once: files, and one on standard output", async () => {
  await folder.write(policyFile, { version: 1, rules: rulesOff(["undeclared"]) });
  await using service = await startService(json(200, [token]));
  const outputs = ["sarif=a.sarif", "junit=a=b.xml", "json=a.json", "json"].flatMap((output) => ["--output", output]);
  const { code, stdout } = await audit(service, outputs);
  expect(code).toBe(1);
  expect(stdout).toBe(await folder.read("a.json"));
  expect(JSON.parse(await folder.read("a.sarif")).version).toBe("2.1.0");
  expect(await folder.read("a=b.xml")).toContain("<testsuites>");
  expect(schemaProblems(await schemaOf("report"), JSON.parse(await folder.read("a.json")))).toEqual([]);
});
