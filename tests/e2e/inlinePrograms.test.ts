import { expect, test } from "@jest/globals";
import { start } from "../support/command";
import { createDeployment } from "../support/deployment";

/** A Node.js program that runs an inline program, with the settings in the workspace's `envVars` only. */
const automation = (body: string) => `
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const { EVENT_DATASETS_BASE_URL, EVENT_DATASETS_ACCESS_TOKEN, ...rest } = process.env;
for (const name of Object.keys(process.env)) if (name.startsWith("EVENT_DATASETS_")) delete process.env[name];
const program = async () => {
  const { ApiToken, getTokens } = require("pulumi-event-datasets");
  ${body}
};
LocalWorkspace.createOrSelectStack(
  { stackName: "inline", projectName: "inline", program },
  { envVars: { ...rest, EVENT_DATASETS_BASE_URL, EVENT_DATASETS_ACCESS_TOKEN } },
).then((stack) => stack.up()).then(
  ({ outputs }) => console.log("done " + JSON.stringify(outputs)),
  (failure) => console.log("failed " + failure.message),
);
`;

test.each([
  [
    "declares a token with settings in envVars",
    'const { name } = new ApiToken("ci", { name: "ci", expiresAt: "2030-01-01T00:00:00Z" }); return { name };',
    'done {"name":{"value":"ci","secret":false}}',
  ],
  [
    "is told where the settings of a lookup go",
    "return getTokens();",
    "set them in process.env too, or in the stack's config",
  ],
])("an inline program of the Automation API %s", async (_, body, printed) => {
  await using deployment = await createDeployment({ program: { "index.ts": "", "inline.cjs": automation(body) } });
  const { workspace } = deployment;
  const env = workspace.environment();
  const command = await start(process.execPath, ["inline.cjs"], { cwd: workspace.program, env });
  const { stdout, stderr } = await command.done;
  expect(stdout + stderr).toContain(printed);
});
