import { execFile, execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { CHECKOUT } from "../support/program";

const program = `
const pulumi = require("@pulumi/pulumi");
pulumi.runtime.setMocks({ newResource: ({ name, inputs }) => ({ id: name, state: inputs }), call: () => ({}) });
const { ApiToken } = require("pulumi-event-datasets");
new ApiToken("a");
new ApiToken("b");
`;

/** The output of a program with this stack config. */
async function printProgram(config: Record<string, string>): Promise<string> {
  const env = { PATH: process.env.PATH, PULUMI_CONFIG: JSON.stringify(config), PULUMI_NODEJS_PROJECT: "web" };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["-e", program], { cwd: CHECKOUT, env });
  return stdout + stderr;
}

test("stack config that nobody reads is warned of once, with what was probably meant and without its value", async () => {
  const said = await printProgram({
    "event-datasets:baseUrll": "canary",
    "event-datasets:colour": "canary",
    "event-datasets:profile": "documented",
    "web:baseUrll": "x",
    "kubernetes-of-others:kubeconfig": "x",
  });
  const warning = 'stack config event-datasets:baseUrll is not known; did you mean "baseUrl"?';
  expect(said.split(warning)).toHaveLength(2);
  expect(said).toContain("stack config event-datasets:colour is not known\n");
  expect(said.match(/is not known/g)).toHaveLength(2);
  expect(said).not.toMatch(/canary|profile|web:/);
});

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

test("a program that cannot load the package from its own folder is told what to install", async () => {
  const program = `const { ApiToken } = require(${JSON.stringify(CHECKOUT)}); new ApiToken("ci");`;
  const run = promisify(execFile)(process.execPath, ["-e", program], { cwd: tmpdir() });
  await expect(run).rejects.toThrow(
    /ApiToken: the package pulumi-event-datasets cannot be loaded .* direct dependency .* npm install pulumi-event-datasets/,
  );
});
