import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { columnsOf, movesCursor, showsColours } from "../../cli/width";
import { credential, useAuditFolder } from "../support/auditFolder";
import { builtCli } from "../support/checkout";
import { start } from "../support/command";
import { json, startService } from "../support/service";

const folder = useAuditFolder();

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

const fakePulumi = (script: string) => folder.write("bin/pulumi", `#!/usr/bin/env bash\n${script}`, 0o755);

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
    await fakePulumi("head -c 540000000 /dev/zero");
    const { code, stderr } = await shell('node "$CLI" audit --stack big --output json=r.json');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("stack big: the output of the Pulumi CLI is too long for Node.js to read"),
    ]);
  });
});

test("no error contains a workflow command or a new line, for any name of a file or a stack", async () => {
  await fakePulumi("printf 'error: no\\n::error::boom\\n##[error]boom\\r::stop-commands::x\\n' >&2; exit 255");
  await using service = await startService(json(200, []));
  const name = "x\n::error::boom\r::stop-commands::y\u001b[31mred##[error]boom";
  const options = [["--state"], ["--stack"], ["--policy"], ["--output"], ["--output", `json=x/y/${name}`, "--state"]];
  for (const option of options) {
    const { code, stderr } = await folder.run(["audit", ...option, name], service, { PATH: pathWithFakes() });
    expect(code).toBe(2);
    for (const line of stderr.trimEnd().split("\n")) expect(line).toMatch(/^pulumi-event-datasets: [\P{Cc}]*$/u);
    expect(stderr).not.toMatch(/^\s*::|##\[/m);
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
