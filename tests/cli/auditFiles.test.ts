import { mkdir, readlink, symlink } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { AuditFolder, credential } from "../support/auditFolder";
import { builtCli } from "../support/checkout";
import { start } from "../support/command";
import { json, type ScriptedService, startService } from "../support/service";

const state = ["--state", "state.json"];

let folder: AuditFolder;
let service: ScriptedService;

beforeEach(async () => {
  folder = await AuditFolder.create();
  service = await startService(json(200, []));
});

afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const audit = (args: readonly string[], env: Record<string, string> = {}) =>
  folder.run(["audit", ...args], service, env);

const reports = ["--output", "json=r.json", "--output=markdown=r.md"];

describe("an audit that could not tell removes an older report:", () => {
  test.each<[string, string[], Record<string, string>]>([
    ["an empty credential", [], { EVENT_DATASETS_ACCESS_TOKEN: "" }],
    ["an unknown option", ["--outptu", "table"], {}],
    ["an option without its value", ["--stack"], {}],
    ["an unusable option", ["--fail-on", "fatal"], {}],
    ["an unknown format beside it", ["--output", "xml=x.xml"], {}],
    ["two reports on standard output", ["--output", "json", "--output", "table"], {}],
    ["a broken policy", ["--policy", "broken.json"], {}],
    ["a broken policy where one is looked for", [], { BROKEN: "event-datasets.audit.json" }],
    ["no state of that name", ["--state", "none.json"], {}],
    ["a second report that cannot be written", ["--output", "sarif=no/such/folder.sarif"], {}],
    ["an argument that there is none of", ["surplus"], {}],
  ])("%s", async (_, args, env) => {
    await folder.write("broken.json", "{");
    if (env.BROKEN) await folder.write(env.BROKEN, "{");
    for (const name of ["r.json", "r.md"]) await folder.write(name, "clean");
    const before = await folder.list();
    const { code, stdout } = await audit([...state, ...reports, ...args], env);
    expect([code, stdout]).toEqual([2, ""]);
    expect(await folder.list()).toEqual(before.filter((name) => !name.startsWith("r.")));
  });

  test("also if the path is a link to it; the link stays", async () => {
    await folder.write("yesterday.json", "clean");
    await symlink("yesterday.json", path.join(folder.path, "r.json"));
    expect((await audit(["--state", "none.json", ...reports])).code).toBe(2);
    await expect(folder.read("yesterday.json")).rejects.toThrow("ENOENT");
    expect(await readlink(path.join(folder.path, "r.json"))).toBe("yesterday.json");
    expect((await audit([...state, ...reports])).code).toBe(0);
    expect(JSON.parse(await folder.read("yesterday.json"))).toMatchObject({ failed: false });
  });
});

describe("a report that would overwrite", () => {
  test.each<[string, string[], string]>([
    ["a state", ["--state", "input.json", "--output", "json=./input.json"], "is the file of --state"],
    ["the policy", [...state, "--policy", "input.json", "--output", "json=x/../input.json"], "is the file of --policy"],
    [
      "a policy to write",
      [...state, "--write-policy", "input.json", "--owner", "x", "--output", "json=link.json"],
      "is the file of --write-policy",
    ],
  ])("%s is refused, and the file stays", async (_, args, reason) => {
    await mkdir(path.join(folder.path, "x"));
    await folder.write("input.json", await folder.read("state.json"));
    await symlink("input.json", path.join(folder.path, "link.json"));
    const { code, stderr } = await audit(args);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
    expect(await folder.read("input.json")).toBe(await folder.read("state.json"));
  });

  test("another report is refused, even with a different path", async () => {
    await folder.write("r.json", "clean");
    const { code, stderr } = await audit([...state, "--output", "json=r.json", "--output", "sarif=./r.json"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--output sarif=./r.json: is the file of another report");
    expect(await folder.list()).toEqual(["state.json"]);
  });

  test("a folder is refused, and a device is written to", async () => {
    expect((await audit([...state, "--output", "json=/dev/null"])).code).toBe(0);
    const { code, stderr } = await audit([...state, "--output", "markdown=r.md", "--output", "json=."]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--output json=.: cannot be written (EISDIR)")]);
    expect(await folder.list()).toEqual(["state.json"]);
  });
});

test("a report that would overwrite the policy of the environment is refused, and the file stays", async () => {
  const policy = await folder.write("ours.json", { version: 1 });
  const { code, stderr } = await audit([...state, "--output", "json=ours.json"], {
    EVENT_DATASETS_POLICY_FILE: policy,
  });
  expect([code, stderr]).toEqual([2, expect.stringContaining("is the file of the policy")]);
  expect(await folder.read("ours.json")).toBe('{"version":1}');
});

/** Runs a line of bash in which `audit` is the command with an empty state. */
async function bash(line: string) {
  const program = `audit() { "$0" "$MAIN" audit --state state.json "$@"; }\n${line}`;
  const running = await start("bash", ["--noprofile", "--norc", "-c", program, process.execPath], {
    cwd: folder.path,
    env: {
      PATH: process.env.PATH,
      MAIN: builtCli(),
      EVENT_DATASETS_BASE_URL: service.url,
      EVENT_DATASETS_ACCESS_TOKEN: credential,
    },
    stdin: "",
  });
  const { code, stdout, stderr } = await running.done;
  return { code, stdout, stderr };
}

const clean = { failed: false, findings: [] };

test("a report can go to /dev/stdout if that is a pipe", async () => {
  const { code, stdout, stderr } = await bash("audit --output json=/dev/stdout | cat");
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/clean: 0 live tokens.*\n$/) });
  expect(JSON.parse(stdout)).toMatchObject(clean);
});

test("a report can go to another command by process substitution", async () => {
  expect(await bash("audit --output table --output json=>(cat > copy.json); wait $!")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^clean: /m),
  });
  expect(JSON.parse(await folder.read("copy.json"))).toMatchObject(clean);
});

test("an audit that fails does not change the file that standard output is redirected to", async () => {
  const line = "{ echo before; audit --state none.json --output json=/dev/stdout; } > all.txt";
  expect(await bash(line)).toMatchObject({ code: 2 });
  expect(await folder.read("all.txt")).toBe("before\n");
});

test("the error for a closed descriptor names its option", async () => {
  const { code, stderr } = await bash("audit --output json=/dev/fd/77");
  expect([code, stderr]).toEqual([2, expect.stringContaining("--output json=/dev/fd/77: cannot be written (ENOENT)")]);
});
