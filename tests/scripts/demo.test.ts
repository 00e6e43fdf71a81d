import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { start } from "../support/command";
import { CHECKOUT } from "../support/program";

// Needs the engine, as what imports support/engine does.
test("SIGINT ends the demo's service and removes what the demo made", async () => {
  const settings = { cwd: CHECKOUT, env: { PATH: process.env.PATH, HOME: process.env.HOME } };
  const demo = await start(process.execPath, [path.join(CHECKOUT, "scripts/demo.mjs")], settings);
  await demo.printed("== First deployment");
  demo.kill("SIGINT");
  const { code, stdout, stderr } = await demo.done;
  expect(stdout).toContain("interrupted by SIGINT: cleaning up");
  expect([code, stderr]).toEqual([130, expect.stringContaining("demo: ")]);
  const [, folder = ""] = /^service \S+, state (.+)\/backend$/m.exec(stdout) ?? [];
  // Not its address: another process may have it by now.
  expect((await promisify(execFile)("ps", ["axww", "-o", "args="])).stdout).not.toContain(folder);
  await expect(access(folder)).rejects.toThrow("ENOENT");
});
