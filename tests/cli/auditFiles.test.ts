import { mkdir, readlink, symlink } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { credential, useAuditFolder } from "../support/auditFolder";
import { builtCli } from "../support/checkout";
import { start } from "../support/command";
import { json, type ScriptedService, startService } from "../support/service";

const folder = useAuditFolder();
let service: ScriptedService;
beforeEach(async () => {
  service = await startService(json(200, []));
});
afterEach(async () => service[Symbol.asyncDispose]());

const state = ["--state", "state.json"];
const audit = (args: readonly string[], env: Record<string, string> = {}) =>
  folder.run(["audit", ...args], service, env);

test("an audit that could not check removes an older report behind a link; the link stays", async () => {
  const report = ["--output", "json=r.json"];
  await folder.write("yesterday.json", "clean");
  await symlink("yesterday.json", path.join(folder.path, "r.json"));
  expect((await audit(["--state", "none.json", ...report])).code).toBe(2);
  await expect(folder.read("yesterday.json")).rejects.toThrow("ENOENT");
  expect(await readlink(path.join(folder.path, "r.json"))).toBe("yesterday.json");
  expect((await audit([...state, ...report])).code).toBe(0);
  expect(JSON.parse(await folder.read("yesterday.json"))).toMatchObject({ failed: false });
});

describe("a report that would overwrite", () => {
  test.each<[string, string[], string]>([
    ["a state", ["--state", "input.json", "--output", "json=./input.json"], "is the file of --state"],
    ["the policy", [...state, "--policy", "input.json", "--output", "json=x/../input.json"], "is the file of --policy"],
    ["the policy of the environment", [...state, "--output", "json=input.json"], "is the file of the policy"],
    [
      "a policy to write",
      [...state, "--write-policy", "input.json", "--owner", "x", "--output", "json=link.json"],
      "is the file of --write-policy",
    ],
  ])("%s is refused, and the file stays", async (name, args, reason) => {
    await mkdir(path.join(folder.path, "x"));
    const file = await folder.write("input.json", await folder.read("state.json"));
    await symlink("input.json", path.join(folder.path, "link.json"));
    const env = name.endsWith("environment") ? { EVENT_DATASETS_POLICY_FILE: file } : {};
    const { code, stderr } = await audit(args, env);
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
    expect(await folder.read("input.json")).toBe(await folder.read("state.json"));
  });

  test("another report is refused, even with a different path", async () => {
    await folder.write("r.json", "clean");
    const { code, stderr } = await audit([...state, "--output", "json=r.json", "--output", "sarif=./r.json"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("sarif=./r.json: is the file of another report")]);
    expect(await folder.list()).toEqual(["state.json"]);
  });
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
  });
  return running.done;
}

const clean = { failed: false, findings: [] };

test("a report can go to /dev/stdout if that is a pipe, and to a device", async () => {
  const { code, stdout, stderr } = await bash("audit --output json=/dev/stdout --output markdown=/dev/null | cat");
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
