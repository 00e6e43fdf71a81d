import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { start } from "../support/command";
import { CHECKOUT } from "../support/program";

// Needs the engine, as what imports support/engine does.
test.each(["SIGTERM", "SIGINT"] as const)(
  "%s ends the demo's service and removes what the demo made",
  async (signal) => {
    const settings = { cwd: CHECKOUT, env: { PATH: process.env.PATH, HOME: process.env.HOME } };
    const demo = await start(process.execPath, [path.join(CHECKOUT, "scripts/demo.mjs")], settings);
    await demo.printed("== First deployment");
    demo.kill(signal);
    const { code, stdout, stderr } = await demo.done;
    expect(stdout).toContain(`interrupted by ${signal}: cleaning up`);
    expect({ code, stderr: stderr.includes("demo: ") }).toEqual({
      code: signal === "SIGTERM" ? 143 : 130,
      stderr: true,
    });
    const [, folder = ""] = /^service \S+, state (.+)\/backend$/m.exec(stdout) ?? [];
    // Not its address: another process may have it by now.
    expect((await promisify(execFile)("ps", ["axww", "-o", "args="])).stdout).not.toContain(folder);
    await expect(access(folder)).rejects.toThrow("ENOENT");
  },
);
