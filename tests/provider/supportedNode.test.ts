import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

test("a program on an older Node.js gets one sentence, before anything else is loaded, and without a stack", () => {
  const script = `
    Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.0" } });
    try { require("pulumi-event-datasets"); } catch (failure) {
      const { RunError } = require("@pulumi/pulumi");
      const loaded = Object.keys(require.cache).filter((file) => file.includes("undici") || file.endsWith("apiToken.js"));
      console.log(JSON.stringify([RunError.isInstance(failure), failure.message, loaded]));
    }`;
  const printed = execFileSync(process.execPath, ["-e", script], { cwd: join(__dirname, "../.."), encoding: "utf8" });
  expect(JSON.parse(printed)).toEqual([
    true, // which the engine's SDK shows by its message alone
    expect.stringMatching(/^pulumi-event-datasets: Node\.js 22\.19 or newer is needed; this is /),
    [],
  ]);
});
