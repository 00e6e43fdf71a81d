import { expect, test } from "@jest/globals";
import { openSealed } from "../../../provider/seal/open";
import { createDeployment, type Deployment } from "../../support/deployment";
import { ageKey } from "../../support/sealing";

/** Every log of the engine, its plugins and the program. */
const verbose = ["-v=9", "--logtostderr", "--logflow", "--debug"];

/** A token that the engine keeps as a secret, and a sealed one. They have names, because a plan refuses generated ones. */
const program = (recipient: string, generation: number) => `import { ApiToken } from "pulumi-event-datasets";
const args = {
  orgCapabilities: { apiTokens: ["read"] },
  rotation: { expireAfter: "90d", rotateBefore: "14d", triggers: { generation: ${generation} } },
};
export const { token } = new ApiToken("plain", { ...args, name: "plain-${generation}" });
export const { sealedToken } = new ApiToken("sealed", { ...args, name: "sealed-${generation}", sealFor: "${recipient}" });
`;

/** Plans, creates, refreshes, exports and replaces both tokens, with every log switched on. */
async function deployVerbosely({ workspace }: Deployment, recipient: string) {
  const env = { PULUMI_DEBUG_GRPC: `${workspace.root}/grpc.json` };
  const options = { args: verbose, env };
  await workspace.preview({ args: [...verbose, "--diff"], env });
  await workspace.up(options);
  await workspace.refresh(options);
  const first = await workspace.outputs({ showSecrets: true });
  await workspace.writeFile("index.ts", program(recipient, 2));
  const plan = `${workspace.root}/plan.json`;
  await workspace.preview({ args: [...verbose, `--save-plan=${plan}`], env });
  await workspace.up({ args: [...verbose, `--plan=${plan}`], env });
  await workspace.run(["stack", "history", "--json"]);
  return [first, await workspace.outputs({ showSecrets: true })];
}

test("the secret of a sealed token is in no log, gRPC log, plan, state, backup, history, export or output", async () => {
  const { identity, recipient } = await ageKey();
  await using deployment = await createDeployment({ program: { "index.ts": program(recipient, 1) } });
  const created = await deployVerbosely(deployment, recipient);
  // The logs show the secret of the other token, so the scan finds a secret that is there. The plan file encrypts it.
  for (const { token } of created) {
    const found = (await deployment.traces(String(token))).map(({ where }) => where.split("/").at(-1));
    expect([...new Set(found)].sort()).toEqual(["grpc.json", "printed"]);
  }
  const secrets = await Promise.all(created.map((out) => openSealed(JSON.stringify(out.sealedToken), identity)));
  expect(new Set(secrets).size).toBe(2);
  for (const secret of secrets) expect(await deployment.traces(secret)).toEqual([]);
  // The scan covers the places of the ciphertext: the same logs, and the state.
  const printed = deployment.workspace.transcript();
  const [sealed = ""] = Object.values(created[1]?.sealedToken as Record<string, string>);
  expect(printed).toContain(sealed.split("\n")[1]);
  expect(JSON.stringify(await deployment.resource("ApiToken", "sealed"))).toContain(sealed.split("\n")[1]);
});
