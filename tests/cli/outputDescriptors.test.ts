import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { AuditFolder, credential } from "../support/auditFolder";
import { builtCli } from "../support/build";
import { start } from "../support/command";
import { json, type ScriptedService, startService } from "../support/service";

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
    timeoutMs: 60_000,
    stdin: "",
  });
  const { code, stdout, stderr } = await running.done;
  return { code, stdout, stderr };
}

const clean = { failed: false, findings: [] };

test("a report goes to /dev/stdout where that is a pipe", async () => {
  const { code, stdout, stderr } = await bash("audit --output json=/dev/stdout | cat");
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/clean: 0 live tokens.*\n$/) });
  expect(JSON.parse(stdout)).toMatchObject(clean);
});

test("a report goes to /dev/stdout where that is a file, which keeps what is in it", async () => {
  const line = "{ echo before; audit --output json=/dev/stdout; echo after; } > all.txt";
  expect(await bash(line)).toMatchObject({ code: 0, stdout: "" });
  const [, report = ""] = /^before\n(.*)\nafter\n$/s.exec(await folder.read("all.txt")) ?? [];
  expect(JSON.parse(report)).toMatchObject(clean);
});

test("a report goes to another command by process substitution", async () => {
  expect(await bash("audit --output table --output json=>(cat > copy.json); wait $!")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^clean: /m),
  });
  expect(JSON.parse(await folder.read("copy.json"))).toMatchObject(clean);
});

test("an audit that fails leaves the file alone that standard output is redirected to", async () => {
  const line = "{ echo before; audit --state none.json --output json=/dev/stdout; } > all.txt";
  expect(await bash(line)).toMatchObject({ code: 2 });
  expect(await folder.read("all.txt")).toBe("before\n");
});

test("a descriptor that is not open is named with its option", async () => {
  const { code, stderr } = await bash("audit --output json=/dev/fd/77");
  expect([code, stderr]).toEqual([2, expect.stringContaining("--output json=/dev/fd/77: cannot be written (EBADF)")]);
});
