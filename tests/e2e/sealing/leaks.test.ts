import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { openSealed } from "../../../cli/openSealed";
import { createDeployment, type Deployment, makeByHand } from "../../support/deployment";
import { ageKey } from "../../support/keys";

/** Every log of the engine, its plugins and the program. */
const verbose = ["-v=9", "--logtostderr", "--logflow", "--debug"];

/** A sealed token of an explicit provider. */
const elsewhere = `const provider = new Provider("explicit", {
  baseUrl: process.env.EVENT_DATASETS_BASE_URL ?? "",
  accessToken: pulumi.secret(process.env.TOKEN_OF_PROVIDER ?? ""),
});
new ApiToken("elsewhere", { ...args, name: "elsewhere", sealFor }, { provider });
`;

/**
 * A token that the engine keeps as a secret, and a sealed one. They have names, because a plan refuses generated ones. The second
 * generation has the explicit provider too: each provider is one more process in every command.
 */
const program = (recipient: string, generation: number) => `import * as pulumi from "@pulumi/pulumi";
import { ApiToken, Provider } from "pulumi-event-datasets";
export const classes = [pulumi.Config, Provider].length;
const args = {
  orgCapabilities: { apiTokens: ["read"] },
  expiresIn: "90d", rotation: { rotateBefore: "14d", triggers: { generation: ${generation} } },
};
const sealFor = "${recipient}";
export const { token } = new ApiToken("plain", { ...args, name: "plain-${generation}" });
export const { sealedToken } = new ApiToken("sealed", { ...args, name: "sealed-${generation}", sealFor });
${generation === 1 ? "" : elsewhere}`;

// One stack for all tests, since the engine takes seconds for each command that logs everything.
let deployment: Deployment;
/** An access token for each of the ways to give one. */
let access: Readonly<Record<"environment" | "config" | "provider", string>>;
/** The private key of the sealed tokens. */
let identity: string;
/** The stack's outputs before and after the replacement. */
let outputs: readonly Record<string, unknown>[];

/** Creates, refreshes, plans, replaces and exports the tokens, with every log switched on. */
beforeAll(async () => {
  const key = await ageKey();
  identity = key.identity;
  deployment = await createDeployment({ program: { "index.ts": program(key.recipient, 1) }, hosts: "engine" });
  const { workspace, service } = deployment;
  const orgCapabilities = { apiTokens: ["create", "read"] } as const;
  const make = async (name: string) => (await makeByHand(service, { name, orgCapabilities })).token;
  access = { environment: service.rootToken, config: await make("config"), provider: await make("provider") };
  await workspace.setConfig("event-datasets:accessToken", access.config, { secret: true });

  const env = { TOKEN_OF_PROVIDER: access.provider, PULUMI_DEBUG_GRPC: `${workspace.root}/grpc.json` };
  const [trace, plan] = [`${workspace.root}/trace`, `${workspace.root}/plan.json`];
  await workspace.up({ args: verbose, env });
  const traceOfRefresh = `${workspace.root}/refresh/trace`;
  await mkdir(path.dirname(traceOfRefresh));
  await workspace.refresh({ args: [...verbose, "-v=11", `--tracing=file:${traceOfRefresh}`], env });
  expect((await readFile(traceOfRefresh)).length).toBeGreaterThan(1_000);
  const first = await workspace.outputs({ showSecrets: true });
  await workspace.writeFile("index.ts", program(key.recipient, 2));
  await workspace.preview({ args: [...verbose, "--diff", `--save-plan=${plan}`], env });
  await workspace.up({ args: [...verbose, "-v=11", `--tracing=file:${trace}`, `--plan=${plan}`], env });
  expect((await readFile(trace)).length).toBeGreaterThan(1_000);
  await workspace.run(["stack", "history", "--json"]);
  await workspace.run(["stack", "export", "--file", `${workspace.root}/encrypted.json`]);
  outputs = [first, await workspace.outputs({ showSecrets: true })];
});
afterAll(async () => deployment?.[Symbol.asyncDispose]());

/** The files, and the engine's output, that have a secret in plain text. */
async function findPlaces(secret: unknown): Promise<string[]> {
  const found = (await deployment.traces(String(secret))).map(({ where }) => String(where.split("/").at(-1)));
  return [...new Set(found)].sort();
}

test("the secret of a sealed token is in no log, gRPC log, trace, plan, state, backup, history, export or output", async () => {
  // The logs show the secret of the other token, so the scan finds a secret that is there. The plan file encrypts it.
  for (const { token } of outputs) expect(await findPlaces(token)).toEqual(["grpc.json", "printed", "trace"]);
  const secrets = await Promise.all(outputs.map((out) => openSealed(JSON.stringify(out.sealedToken), identity)));
  expect(new Set(secrets).size).toBe(2);
  for (const secret of secrets) expect(await findPlaces(secret)).toEqual([]);
  // The scan covers the places of the ciphertext: the same logs, and the state.
  const printed = deployment.workspace.transcript();
  const [sealed = ""] = Object.values(outputs[1]?.sealedToken as Record<string, string>);
  expect(printed).toContain(sealed.split("\n")[1]);
  expect(JSON.stringify(await deployment.resource("ApiToken", "sealed"))).toContain(sealed.split("\n")[1]);
});

test("an access token is in no state or log if the environment has it, else in both; the state encrypts it", async () => {
  const { stdout } = await deployment.workspace.run(["stack", "export", "--show-secrets"]);
  expect(stdout).toContain("event-datasets");
  const inState = (token: string) => stdout.split(token).length - 1;
  expect([inState(access.environment), await findPlaces(access.environment)]).toEqual([0, []]);
  // A provider has it in its inputs and in its outputs.
  for (const token of [access.config, access.provider])
    expect([inState(token), await findPlaces(token)]).toEqual([2, ["grpc.json", "printed", "trace"]]);
});
