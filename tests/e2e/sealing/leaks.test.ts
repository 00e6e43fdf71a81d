import { expect, test } from "@jest/globals";
import { openSealed } from "../../../provider/seal/open";
import { createDeployment, type Deployment } from "../../support/deployment";
import { ageKey } from "../../support/sealing";

/** Everything that the engine, its plugins and the program have to say. */
const talkative = ["-v=9", "--logtostderr", "--logflow", "--debug"];

/** One token that the engine keeps as a secret, and one that is sealed. A plan refuses generated names, which differ each time. */
const program = (recipient: string, generation: number) => `import { ApiToken } from "pulumi-event-datasets";
const args = {
  orgCapabilities: { apiTokens: ["read"] },
  rotation: { expireAfter: "90d", rotateBefore: "14d", triggers: { generation: ${generation} } },
};
export const { token } = new ApiToken("plain", { ...args, name: "plain-${generation}" });
export const { sealedToken } = new ApiToken("sealed", { ...args, name: "sealed-${generation}", sealFor: "${recipient}" });
`;

/** Two tokens' whole life under the engine's most talkative settings: planned, made, refreshed, exported, replaced by a plan. */
async function deployTalkatively({ workspace }: Deployment, recipient: string) {
  const env = { PULUMI_DEBUG_GRPC: `${workspace.root}/grpc.json` };
  const said = { args: talkative, env };
  await workspace.preview({ args: [...talkative, "--diff"], env });
  await workspace.up(said);
  await workspace.refresh(said);
  const first = await workspace.outputs({ showSecrets: true });
  await workspace.writeFile("index.ts", program(recipient, 2));
  const plan = `${workspace.root}/plan.json`;
  await workspace.preview({ args: [...talkative, `--save-plan=${plan}`], env });
  await workspace.up({ args: [...talkative, `--plan=${plan}`], env });
  await workspace.run(["stack", "history", "--json"]);
  return [first, await workspace.outputs({ showSecrets: true })];
}

test("of a sealed token nothing shows the secret: no log, gRPC log, plan, state, backup, history, export or output", async () => {
  const { identity, recipient } = await ageKey();
  await using deployment = await createDeployment({ program: { "index.ts": program(recipient, 1) } });
  const made = await deployTalkatively(deployment, recipient);
  // Of a token that is not sealed the logs show it, so the scan finds what is there.
  for (const { token } of made) {
    const found = (await deployment.traces(String(token))).map(({ where }) => where);
    expect(found).toEqual(expect.arrayContaining(["printed", expect.stringMatching(/grpc\.json$/)]));
  }
  const secrets = await Promise.all(made.map((out) => openSealed(JSON.stringify(out.sealedToken), identity)));
  expect(new Set(secrets).size).toBe(2);
  for (const secret of secrets) expect(await deployment.traces(secret)).toEqual([]);
  // It looks where the ciphertext is: in the same logs, and in the state.
  const printed = deployment.workspace.transcript();
  const [sealed = ""] = Object.values(made[1]?.sealedToken as Record<string, string>);
  expect(printed).toContain(sealed.split("\n")[1]);
  expect(JSON.stringify(await deployment.resource("ApiToken", "sealed"))).toContain(sealed.split("\n")[1]);
});
