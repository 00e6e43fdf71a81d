import { mkdir } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { auditTokens } from "../../audit";
import { columnsOf, movesCursor, showsColours } from "../../cli/terminal";
import { AuditFolder, credential } from "../support/auditFolder";
import { builtCli } from "../support/build";
import { start } from "../support/command";
import { json, startService } from "../support/service";

let folder: AuditFolder;

beforeEach(async () => {
  folder = await AuditFolder.create();
});

afterEach(() => folder[Symbol.asyncDispose]());

const pathWithFakes = () => `${path.join(folder.path, "bin")}:${path.dirname(process.execPath)}:${process.env.PATH}`;

async function shell(script: string, live: unknown = []) {
  await using service = await startService(json(200, live));
  const env = {
    PATH: pathWithFakes(),
    EVENT_DATASETS_BASE_URL: service.url,
    EVENT_DATASETS_ACCESS_TOKEN: credential,
    CLI: builtCli(),
  };
  return await (await start("bash", ["--norc", "-c", script], { cwd: folder.path, env })).done;
}

const fake = async (name: string, script: string) => {
  await mkdir(path.join(folder.path, "bin"), { recursive: true });
  await folder.write(`bin/${name}`, `#!/usr/bin/env bash\n${script}`, 0o755);
};

describe("an unknown result is exit code 2:", () => {
  test("standard output is full; no other report is left either", async () => {
    const { code, stderr } = await shell(
      'node "$CLI" audit --state state.json --output table --output json=r.json >/dev/full',
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining("standard output cannot be written to (ENOSPC)")]);
    expect(await folder.list()).toEqual(["state.json"]);
  });

  test("a reader closes the pipe early", async () => {
    const live = Array.from({ length: 5_000 }, (_, n) => ({ id: `t${n}`, name: "x".repeat(100) }));
    const { stdout } = await shell('node "$CLI" audit --state state.json | head -1; echo "$PIPESTATUS"', live);
    expect(stdout.split("\n")).toEqual([expect.stringContaining("ERRORS"), "2", ""]);
  });

  test("a state is too large to read", async () => {
    await fake("pulumi", "head -c 540000000 /dev/zero");
    const { code, stderr } = await shell('node "$CLI" audit --stack big --output json=r.json');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("stack big: its output is too long for Node.js to read"),
    ]);
  });

  test("npx cannot fetch the command", async () => {
    await fake("npx", "echo 'npm error 404' >&2; exit 1");
    const script = path.join(__dirname, "../../audit/templates/audit.sh");
    const { code } = await shell(`GITHUB_OUTPUT=output AUDIT_STATES=state.json bash ${script}`);
    expect(code).toBe(2);
    expect(await folder.read("output")).toBe("result=unknown\n");
  });
});

test("no error contains a workflow command or a new line, for any name of a file or a stack", async () => {
  await fake("pulumi", "printf 'error: no\\n::error::boom\\n##[error]boom\\r::stop-commands::x\\n' >&2; exit 255");
  await using service = await startService(json(200, []));
  const names = ["x\n::error::boom", "x\r::stop-commands::y", "\u001b[31mred", "##[error]boom"];
  for (const name of names) {
    for (const options of [
      ["--state"],
      ["--stack"],
      ["--policy"],
      ["--output"],
      ["--output", `json=x/y/${name}`, "--state"],
    ]) {
      const { code, stderr } = await folder.run(["audit", ...options, name], service, { PATH: pathWithFakes() });
      expect(code).toBe(2);
      for (const line of stderr.trimEnd().split("\n")) expect(line).toMatch(/^event-datasets: [\P{Cc}]*$/u);
      expect(stderr).not.toMatch(/^\s*::|##\[/m);
    }
  }
});

test("a terminal of 0 columns counts as 80 columns, and without a terminal there is no width", () => {
  expect(columnsOf({ isTTY: true, columns: 0 })).toBe(80);
  expect(columnsOf({ isTTY: true, columns: 133 })).toBe(133);
  expect(columnsOf({ columns: 133 })).toBeUndefined();
});

test("there are colours only on a terminal that supports them, and not with NO_COLOR or TERM=dumb", () => {
  const screen = { isTTY: true, columns: 80, hasColors: () => true };
  expect(showsColours(screen, {})).toBe(true);
  expect(showsColours(screen, { NO_COLOR: "" })).toBe(true);
  expect(showsColours(screen, { NO_COLOR: "1" })).toBe(false);
  expect(showsColours(screen, { TERM: "dumb" })).toBe(false);
  expect(showsColours({ ...screen, isTTY: false }, {})).toBe(false);
  expect(showsColours({ ...screen, hasColors: () => false }, {})).toBe(false);
  expect(movesCursor(screen, { TERM: "dumb" })).toBe(false);
});

test.each([
  ["2026-11-21T12:00:00Z", ["undeclared", "expiring"]],
  ["2026-11-22T12:00:00Z", ["expired"]],
])("an audit goes by the service's clock, whatever this machine's says: at %s a token is %j", async (now, rules) => {
  const live = [{ id: "t1", name: "by hand", expiresAt: "2026-11-21T18:00:00Z" }];
  await using service = await startService(json(200, live, { date: new Date(now).toUTCString() }));
  const { stdout } = await folder.run(["audit", "--state", "state.json", "--output", "json"], service);
  expect(JSON.parse(stdout).findings).toMatchObject(rules.map((rule) => ({ rule })));
});

test("on a machine whose clock is a day fast, the audit uses the service's time and takes no live token for expired", () => {
  const live = [{ id: "t1", name: "by hand", expiresAt: "2026-11-21T18:00:00Z" }];
  const judge = (now: string) =>
    auditTokens({ baseUrl: "https://api.example.com", live, stacks: [], now: new Date(now) }).findings[0]?.rule;
  expect(judge("2026-11-21T12:00:00Z")).toBe("undeclared");
  expect(judge("2026-11-22T12:00:00Z")).toBe("expired");
});
