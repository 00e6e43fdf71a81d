import { expect, test } from "@jest/globals";
import { start } from "../support/command";
import { createDeployment } from "../support/deployment";

// tests/e2e/examples/deployments runs an inline program that declares a token.

/** A Node.js program that runs an inline program with a lookup, and has the settings in the workspace's `envVars` only. */
const automation = `
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const { EVENT_DATASETS_BASE_URL, EVENT_DATASETS_ACCESS_TOKEN, ...envVars } = { ...process.env };
for (const name of Object.keys(process.env)) if (name.startsWith("EVENT_DATASETS_")) delete process.env[name];
Object.assign(envVars, { EVENT_DATASETS_BASE_URL, EVENT_DATASETS_ACCESS_TOKEN });
const program = async () => require("pulumi-event-datasets").getTokens();
LocalWorkspace.createOrSelectStack({ stackName: "inline", projectName: "inline", program }, { envVars })
  .then((stack) => stack.up())
  .catch(({ message }) => console.log(message));
`;

test("an inline program of the Automation API is told where the settings of a lookup go", async () => {
  await using deployment = await createDeployment({ program: { "index.ts": "", "inline.cjs": automation } });
  const { workspace } = deployment;
  const env = workspace.environment();
  const { stdout } = await (await start(process.execPath, ["inline.cjs"], { cwd: workspace.program, env })).done;
  expect(stdout).toContain("set them in process.env too, or in the stack's config");
});
