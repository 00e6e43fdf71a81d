import { execFile } from "node:child_process";
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
async function printProgram(config: Record<string, string>, project = "web"): Promise<string> {
  const env = { PATH: process.env.PATH, PULUMI_CONFIG: JSON.stringify(config), PULUMI_NODEJS_PROJECT: project };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["-e", program], { cwd: CHECKOUT, env });
  return stdout + stderr;
}

test("stack config that nobody reads is warned of once, with what was probably meant and without its value", async () => {
  const said = await printProgram({
    "event-datasets:baseUrll": "canary",
    "event-datasets:profile": "documented",
    "web:baseUrll": "x",
  });
  const warning = 'stack config event-datasets:baseUrll is not known; did you mean "baseUrl"?';
  expect(said.split(warning)).toHaveLength(2);
  expect(said).not.toMatch(/canary|profile|web:/);
});

test("a name that is like none is warned of too", async () => {
  expect(await printProgram({ "event-datasets:colour": "x" })).toContain(
    "stack config event-datasets:colour is not known\n",
  );
});
