import { expect, test } from "@jest/globals";
import { createDeployment, type Deployment } from "../support/deployment";
import { ageKey } from "../support/sealing";

/** What docs/security.md and docs/sealing.md say of the account's access token: where it is, by the way that it was given. */

const talkative = ["-v=11", "--logtostderr", "--logflow"];

const program = (recipient: string) => `import { ApiToken } from "pulumi-event-datasets";
const rotation = { expireAfter: "90d", rotateBefore: "14d" };
export const { id } = new ApiToken("sealed", { orgCapabilities: { apiTokens: ["read"] }, rotation, sealFor: "${recipient}" });
`;

async function deploy({ workspace }: Deployment) {
  const env = { PULUMI_DEBUG_GRPC: `${workspace.root}/grpc.json` };
  await workspace.up({ args: talkative, env });
  await workspace.refresh({ args: talkative, env });
  const { stdout } = await workspace.run(["stack", "export", "--show-secrets"]);
  return stdout;
}

test("the access token of the environment is in no state, log, gRPC log or file", async () => {
  const { recipient } = await ageKey();
  await using deployment = await createDeployment({ program: { "index.ts": program(recipient) } });
  const { rootToken } = deployment.service;
  const exported = await deploy(deployment);
  expect(exported).toContain("event-datasets");
  expect(exported).not.toContain(rootToken);
  expect(await deployment.traces(rootToken)).toEqual([]);
});

test("that of the stack's config is in the state, encrypted, and in the engine's logs in plain text, also of a sealed token", async () => {
  const { recipient } = await ageKey();
  await using deployment = await createDeployment({ program: { "index.ts": program(recipient) } });
  const { rootToken } = deployment.service;
  await deployment.workspace.setConfig("event-datasets:accessToken", rootToken, { secret: true });
  const exported = await deploy(deployment);
  // Once among the inputs of the engine's provider for Node.js, and once among its outputs.
  expect(exported.split(rootToken)).toHaveLength(3);
  await deployment.workspace.run(["stack", "export", "--file", `${deployment.workspace.root}/encrypted.json`]);
  const found = new Set((await deployment.traces(rootToken)).map(({ where }) => where.split("/").at(-1)));
  expect([...found].sort()).toEqual(["grpc.json", "printed"]);
});
