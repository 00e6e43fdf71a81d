import { mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { findPolicy } from "../../audit/pack/file";
import { AuditFolder } from "../support/auditFolder";
import { json, type ScriptedService, startService } from "../support/service";

const name = "event-datasets.audit.json";

let folder: AuditFolder;
let service: ScriptedService;

beforeEach(async () => {
  folder = await AuditFolder.create();
  await mkdir(path.join(folder.path, "project/sub"), { recursive: true });
  service = await startService(json(200, [{ id: "t1", name: "by hand", expiresAt: "2999-01-01T00:00:00Z" }]));
});

afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** With a policy that lets nothing fail the exit code is 0, without any it is 1. */
const lenient = { version: 1, failOn: "none" };

async function audit(args: readonly string[] = [], env: Record<string, string> = {}) {
  const given = ["audit", "--state", "state.json", "--output", "json", ...args];
  const { code, stdout, stderr } = await folder.run(given, service, env);
  return { code, stderr, policy: stdout === "" ? undefined : JSON.parse(stdout).policy };
}

describe("the policy that applies is", () => {
  test("none, and every report says so", async () => {
    expect(await audit()).toMatchObject({ code: 1, policy: "built in" });
    expect((await audit()).stderr).toContain("policy: built in");
  });

  test("the policy of this folder, or of one above it", async () => {
    await folder.write(name, lenient);
    expect(await audit()).toMatchObject({ code: 0, policy: name });
    expect(findPolicy(path.join(folder.path, "project/sub"), {}).policy).toEqual(lenient);
  });

  test("the policy of the environment, as in the policy pack, unless an option names another", async () => {
    await folder.write(name, { version: 1 });
    const file = await folder.write("named.json", lenient);
    const env = { EVENT_DATASETS_POLICY_FILE: file };
    expect(findPolicy(folder.path, env).policy).toEqual(lenient);
    const inside = path.relative(folder.path, file);
    expect(await audit([], env)).toMatchObject({ code: 0, policy: inside });
    expect(await audit(["--policy", name], env)).toMatchObject({ code: 1, policy: name });
    const relative = await audit([], { EVENT_DATASETS_POLICY_FILE: "named.json" });
    expect([relative.code, relative.stderr]).toEqual([2, expect.stringContaining("must be an absolute path")]);
  });

  test("reported with the options that change it", async () => {
    expect(await audit(["--fail-on", "none"])).toMatchObject({ code: 0, policy: "built in, --fail-on none" });
  });
});

describe("a policy that would not apply is an error:", () => {
  test("an option without a name", async () => {
    expect(await audit(["--policy="])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--policy: is empty"),
    });
  });

  test("a broken link, in the audit and in the policy pack", async () => {
    await symlink("gone.json", path.join(folder.path, name));
    expect(await audit()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${name}: cannot be read (ENOENT)`),
    });
    expect(() => findPolicy(path.join(folder.path, "project"), {})).toThrow("cannot be read (ENOENT)");
  });

  test("a folder with that name", async () => {
    await mkdir(path.join(folder.path, name));
    expect(await audit()).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be read (EISDIR)") });
  });

  test("a misspelt restriction", async () => {
    await folder.write(name, { version: 1, restricted: [{ capability: "apiToken:create" }] });
    const reason =
      "restricted.0.capability: expected <key>:<action>, such as rbac:*; the keys are annotations, apiTokens";
    expect(await audit()).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
  });
});
