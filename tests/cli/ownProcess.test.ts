import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { credential, useAuditFolder } from "../support/auditFolder";
import { cli } from "../support/cli";
import { CHECKOUT } from "../support/program";
import { json, startService } from "../support/service";

// Most suites run commands in a process that stays (tests/cli/commandLineHost.js). A command must have the same result there
// as for a user, who starts a process for it alone, whatever ran in that process before.

const folder = useAuditFolder();
const token = { id: "t1", name: "by hand", expiresAt: "2999-01-01T00:00:00Z" };

test("commands have the same results in processes of their own and in one that runs them one after another", async () => {
  await using service = await startService(json(200, [token]));
  const env = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: credential };
  const commands: [code: number, args: string[]][] = [
    [1, ["audit", "--state", "state.json"]],
    [2, ["audit", "--outptu"]],
    [0, ["annotate", "--dataset", "web", "--", "echo", "ran"]],
    [0, ["tokens", "list"]],
    [2, ["tokens", "find"]],
    [1, ["audit", "--state", "state.json"]],
  ];
  for (const [code, args] of commands) {
    const run = async (ownProcess: boolean) => {
      const result = await cli(args, { cwd: folder.path, env, ownProcess });
      return { code: result.code, stdout: result.stdout, stderr: result.stderr };
    };
    const alone = await run(true);
    expect([args, alone.code]).toEqual([args, code]);
    expect(await run(false)).toEqual(alone);
  }
  // Neither the folder nor the environment of a command is that of the next one.
  const audit = ["audit", "--state", "state.json"];
  expect((await cli(audit, { cwd: tmpdir(), env })).stderr).toContain("state.json: cannot be read (ENOENT)");
  expect((await cli(audit, { cwd: folder.path })).stderr).toContain("baseUrl is missing");
});

test("a reader that goes away, as head does, changes no exit code", async () => {
  const many = Array.from({ length: 5_000 }, (_, n) => ({ ...token, id: `t${n}`, description: "x".repeat(200) }));
  await using service = await startService(json(200, many));
  const env = { ...process.env, EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: credential };
  const main = path.join(CHECKOUT, "dist/cli/main.js");
  const command = `set -o pipefail; '${process.execPath}' '${main}' tokens list | head -1`;
  const { stdout, stderr } = await promisify(execFile)("bash", ["-c", command], { env });
  expect([stdout.split("\n").length, stderr]).toEqual([2, ""]);
});

test("a process that runs many commands reports a command that a signal killed", async () => {
  await using service = await startService(json(201, { id: "a1" }));
  const args = ["annotate", "--dataset", "web", "--", "sh", "-c", "kill -TERM $$"];
  await expect(folder.run(args, service)).rejects.toThrow("needs `ownProcess`");
});
