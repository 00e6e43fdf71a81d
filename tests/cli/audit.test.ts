import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { rulesOff } from "../support/audits";
import { cli } from "../support/cli";
import { type Behaviour, hangUp, json, type ScriptedService, startService } from "../support/service";
import { exportOf } from "../support/states";
import { schemaProblems } from "./schemas";

const credential = "xapt-canary-0a1b2c3d4e5f";
const token = { id: "t1", name: "by hand", description: null, expiresAt: "2999-01-01T00:00:00Z" };

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "audit-"));
  await file("state.json", exportOf({}));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: unknown): Promise<string> {
  const target = path.join(folder, name);
  await writeFile(target, typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  return target;
}

const read = (name: string) => readFile(path.join(folder, name), "utf8");
const schemaOf = async (name: string) =>
  JSON.parse(await readFile(path.join(__dirname, `../../audit/schemas/audit-${name}.v1.json`), "utf8"));

const audit = (service: Pick<ScriptedService, "url">, args: readonly string[], env: Record<string, string> = {}) =>
  cli(["audit", ...args], {
    cwd: folder,
    env: { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: credential, ...env },
  });

const state = ["--state", "state.json"];

describe("an audit that could not tell says so with exit code 2, prints no report and leaves none of an earlier run", () => {
  const body = JSON.stringify([token]);
  const truncate: Behaviour = (response, _, socket) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
    response.write(body.slice(0, 20), () => socket.destroy());
  };
  const half: Behaviour = (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(body.slice(0, 20));
  };
  test.each<[string, Behaviour, string]>([
    ["an outage", json(503, { message: "down" }), "503"],
    ["a missing capability", json(403, { message: "no" }), "lacks a capability"],
    ["an unknown credential", json(401, {}), "EVENT_DATASETS_ACCESS_TOKEN) is not valid"],
    ["a connection that ends before the answer", hangUp, "no response"],
    ["a list that is cut off", truncate, "before the response was complete"],
    ["half a list that looks whole", half, "not JSON"],
    ["a list that is not an array", json(200, { tokens: [] }), "unexpected form"],
    ["a token without an id", json(200, [{ name: "x" }]), "lists 1 token without a usable id"],
    ["a web page", (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>"), "not JSON"],
  ])("after %s", async (_, behaviour, reason) => {
    await using service = await startService(behaviour);
    await file("old.sarif", "{}");
    const { code, stdout, stderr } = await audit(service, [
      ...state,
      "--output",
      "table",
      "--output",
      "sarif=old.sarif",
    ]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(reason);
    expect(stderr + stdout).not.toContain("clean");
    expect(stderr).not.toContain("canary");
    expect(await readdir(folder)).toEqual(["state.json"]);
  });

  test.each([
    ["what is not a state", ["--state", "package.json"], "package.json: not the state of a stack"],
    ["a state that is cut off", ["--state", "half.json"], "half.json: not complete JSON"],
    ["no state of that name", ["--state", "none.json"], "none.json: cannot be read (ENOENT)"],
    ["no Pulumi", ["--stack", "prod"], "stack prod: the Pulumi CLI is not on PATH"],
    ["what is not a policy", [...state, "--policy", "package.json"], "not a policy: version: is missing"],
    ["findings that nobody answers for", [...state, "--write-policy", "p.json"], "--write-policy: needs --owner"],
    ["an owner of nothing", [...state, "--owner", "ops"], "--owner: goes with --write-policy"],
    [
      "exceptions that are over",
      [...state, "--write-policy", "p.json", "--owner", "ops", "--until", "2020-01-01"],
      "--until: must be a day in the future",
    ],
    [
      "a file that is not the policy",
      [...state, "--write-policy", "package.json", "--owner", "ops"],
      "exists already, and is not the policy of this audit",
    ],
    ["an unknown format", [...state, "--output", "xml"], "--output: the formats are table, json,"],
    ["two reports in one place", [...state, "--output", "json", "--output", "table"], "only one report"],
    ["an unknown severity", [...state, "--fail-on", "fatal"], "--fail-on: must be one of"],
    ["an unusable time", [...state, "--expiring-within", "soon"], "--expiring-within: must be a duration"],
    ["a folder for a report", [...state, "--output", "json=."], "cannot be written (EISDIR)"],
  ])("for %s", async (_, args, reason) => {
    await using service = await startService(json(200, []));
    await file("package.json", { name: "secret" });
    await file("half.json", JSON.stringify(exportOf({})).slice(0, 40));
    const { code, stdout, stderr } = await audit(service, args, { PATH: "/nonexistent" });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(reason);
    expect(stderr).not.toMatch(/clean|"secret"/);
  });

  test("without settings it names the places where it looks for them, and sends nothing", async () => {
    const { code, stderr } = await cli(["audit", ...state], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toContain("EVENT_DATASETS_BASE_URL");
    expect(stderr).toContain("EVENT_DATASETS_ACCESS_TOKEN");
  });
});

test("a clean audit exits with 0, one with findings with 1, and each sends one request", async () => {
  await using empty = await startService(json(200, []));
  expect(await audit(empty, state)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^clean: 0 live tokens/m) });
  await using service = await startService(json(200, [token]));
  const { code, stdout, stderr } = await audit(service, state);
  expect([code, service.calls]).toEqual([1, ["GET /v2/tokens"]]);
  expect(stdout).toContain("1 ERROR");
  expect(stderr).toContain("reading state.json");
});

test("--fail-on and the policy decide which findings fail the audit; the option overrides the file", async () => {
  await using service = await startService(json(200, [token]));
  const codes = async (...args: string[]) => (await audit(service, [...state, ...args])).code;
  expect(await codes("--fail-on", "none")).toBe(0);
  await file("event-datasets.audit.json", { version: 1, rules: { undeclared: "warning" } });
  expect(await codes()).toBe(0);
  expect(await codes("--fail-on", "warning")).toBe(1);
  await file("other.json", { version: 1, failOn: "none" });
  expect(await codes("--policy", "other.json")).toBe(0);
  expect(await codes("--policy", "other.json", "--fail-on", "error")).toBe(1);
});

test("--write-policy accepts today's findings until they end, keeps the policy, and only other findings fail then", async () => {
  const policy = { version: 1, rules: rulesOff(["undeclared"]) };
  await file("event-datasets.audit.json", policy);
  await using service = await startService(
    json(200, [token]),
    json(200, [token]),
    json(200, [
      { ...token, orgCapabilities: { users: ["read"] } },
      { ...token, id: "t2", name: "new" },
    ]),
  );
  const args = [...state, "--write-policy", "event-datasets.audit.json", "--owner", "ops", "--until", "2999-12-31"];
  const written = await audit(service, args);
  expect(written).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringContaining("1 finding accepted until 2999"),
  });
  const content = JSON.parse(await read("event-datasets.audit.json"));
  expect(schemaProblems(await schemaOf("policy"), content)).toEqual([]);
  expect(content).toMatchObject({ ...policy, exceptions: [{ owner: "ops", until: "2999-12-31" }] });
  expect(content.exceptions[0].reason).toMatch(/^undeclared t1, accepted on /);
  expect(await audit(service, state)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 finding accepted by the policy"),
  });
  const { code, stdout } = await audit(service, [...state, "--output", "json"]);
  expect(code).toBe(1);
  // It gained a capability: that is not what was accepted.
  expect(JSON.parse(stdout).findings).toMatchObject([{ token: { id: "t1" } }, { token: { id: "t2" } }]);
});

test("an empty list is not believed if the access token is itself a token of the account", async () => {
  await using service = await startService(json(200, []));
  const env = { EVENT_DATASETS_ACCESS_TOKEN: "xaat-canary-0a1b2c3d4e5f" };
  const { code, stdout, stderr } = await audit(service, state, env);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("lists no tokens, not even the access token in use, which is an API token");
});

test.each([
  ["2037-01-01T00:00:00Z", "ahead of"],
  ["2020-01-01T00:00:00Z", "behind"],
])("a service whose clock says %s is not believed: an admin token could count as expired", async (time, words) => {
  const admin = { ...token, expiresAt: "2036-01-01T00:00:00Z", orgCapabilities: { rbac: ["create"] } };
  await using service = await startService(json(200, [admin], { date: new Date(time).toUTCString() }));
  const { code, stdout, stderr } = await audit(service, state);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(new RegExp(`the clock of \\S+ is \\d+ s ${words} this machine's`));
});

test.each([
  ["a byte order mark", (text: string) => Buffer.from(`\ufeff${text}`)],
  ["UTF-16, as PowerShell writes it", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")],
])("states and policies can have %s", async (_, encode) => {
  await file("state.json", encode(JSON.stringify(exportOf({}))));
  await file("event-datasets.audit.json", encode(JSON.stringify({ version: 1, failOn: "none" })));
  await using service = await startService(json(200, [token]));
  expect(await audit(service, state)).toMatchObject({ code: 0, stdout: expect.stringContaining("1 ERROR") });
});

test("several reports at once: files, and one on standard output", async () => {
  await file("event-datasets.audit.json", { version: 1, rules: rulesOff(["undeclared"]) });
  await using service = await startService(json(200, [token]));
  const outputs = ["sarif=a.sarif", "junit=a=b.xml", "json=a.json", "json"].flatMap((output) => ["--output", output]);
  const { code, stdout } = await audit(service, [...state, ...outputs]);
  expect(code).toBe(1);
  expect(stdout).toBe(await read("a.json"));
  expect(JSON.parse(await read("a.sarif")).version).toBe("2.1.0");
  expect(await read("a=b.xml")).toContain("<testsuites>");
  expect(schemaProblems(await schemaOf("report"), JSON.parse(await read("a.json")))).toEqual([]);
});
