import { readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { createDeployment, type Deployment } from "../support/deployment";
import { ageKey } from "../support/sealing";

/** The places in which docs/security.md and docs/sealing.md say the access token is, by the way that it is given. */

const verbose = ["-v=11", "--logtostderr", "--logflow"];

/** A sealed token; `provider` is the code of its options. */
const program = (recipient: string, provider = "") => `import * as pulumi from "@pulumi/pulumi";
import { ApiToken, Provider } from "pulumi-event-datasets";
const rotation = { expireAfter: "90d", rotateBefore: "14d" };
const args = { orgCapabilities: { apiTokens: ["read"] }, rotation, sealFor: "${recipient}" };
export const { id } = new ApiToken("sealed", args, { ${provider} });
`;

const explicitProvider = `provider: new Provider("explicit", {
  baseUrl: process.env.EVENT_DATASETS_BASE_URL ?? "",
  accessToken: pulumi.secret(process.env.TOKEN_OF_PROVIDER ?? ""),
})`;

/** Runs everything that can write the token somewhere, and counts the token in the decrypted state. */
async function deploy({ workspace, service }: Deployment, env: Readonly<Record<string, string>> = {}) {
  const trace = `${workspace.root}/trace`;
  const options = {
    args: [...verbose, `--tracing=file:${trace}`],
    env: { ...env, PULUMI_DEBUG_GRPC: `${workspace.root}/grpc.json` },
  };
  await workspace.up(options);
  await workspace.refresh(options);
  expect((await readFile(trace)).length).toBeGreaterThan(1_000);
  await workspace.run(["stack", "export", "--file", `${workspace.root}/encrypted.json`]);
  const { stdout } = await workspace.run(["stack", "export", "--show-secrets"]);
  expect(stdout).toContain("event-datasets");
  return stdout.split(service.rootToken).length - 1;
}

/** The files, and the engine's output, that have the token in plain text. */
async function findPlaces(deployment: Deployment) {
  const found = (await deployment.traces(deployment.service.rootToken)).map(({ where }) => where.split("/").at(-1));
  return [...new Set(found)].sort();
}

test("the access token of the environment is in no state, log, trace, gRPC log or file", async () => {
  const { recipient } = await ageKey();
  await using deployment = await createDeployment({ program: { "index.ts": program(recipient) } });
  expect(await deploy(deployment)).toBe(0);
  expect(await findPlaces(deployment)).toEqual([]);
});

test("the access token of the stack config is in the state, encrypted, and in logs, gRPC logs and traces in plain text", async () => {
  const { recipient } = await ageKey();
  await using deployment = await createDeployment({ program: { "index.ts": program(recipient) } });
  await deployment.workspace.setConfig("event-datasets:accessToken", deployment.service.rootToken, { secret: true });
  // The engine's provider for Node.js has it in its inputs and in its outputs.
  expect(await deploy(deployment)).toBe(2);
  expect(await findPlaces(deployment)).toEqual(["grpc.json", "printed", "trace"]);
});

test("so is the access token of an explicit provider", async () => {
  const { recipient } = await ageKey();
  await using deployment = await createDeployment({ program: { "index.ts": program(recipient, explicitProvider) } });
  expect(await deploy(deployment, { TOKEN_OF_PROVIDER: deployment.service.rootToken })).toBe(2);
  expect(await findPlaces(deployment)).toEqual(["grpc.json", "printed", "trace"]);
});
