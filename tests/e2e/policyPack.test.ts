import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createDeployment, type Deployment } from "../support/deployment";
import { layOutPack, writePackStarter } from "../support/policyPack";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

const policy = {
  version: 1,
  maxLifetime: "100d",
  names: ["ci-*"],
  restricted: [{ capability: "apiTokens:create", holders: [{ stack: "e2e/prod" }] }],
  rules: { "over-privileged": "error" },
};

/** One token that is fine, and one whose end only the update knows: too far away. */
const computed = `import { ApiToken } from "pulumi-event-datasets";
const a = new ApiToken("ci-a", { expiresIn: "90d" });
const later = a.createdAt.apply((at) => at && new Date(Date.parse(at) + 200 * 86_400_000).toISOString());
new ApiToken("ci-b", { expiresAt: later });`;

const refused = `import { ApiToken } from "pulumi-event-datasets";
import * as pulumi from "@pulumi/pulumi";
new ApiToken("ci-a", { expiresIn: "90d" });
new ApiToken("ci-b", { expiresIn: "90d", orgCapabilities: { apiTokens: ["create"] } });
new ApiToken("other", { name: pulumi.secret("canary-name-1"), expiresIn: "90d" });`;

let deployment: Deployment;
let pack: string[];

beforeAll(async () => {
  deployment = await createDeployment({ program: { "index.ts": computed } });
  const { workspace } = deployment;
  // Above the pack, as a project's file is above its node_modules.
  await writeFile(path.join(workspace.root, "event-datasets.audit.json"), JSON.stringify(policy));
  pack = ["--policy-pack", await layOutPack(workspace.root)];
  process.env.PATH = [await writePackStarter(workspace.root), process.env.PATH].join(path.delimiter);
});

afterAll(async () => {
  await deployment[Symbol.asyncDispose]();
});

test("a plan that keeps the policy passes, and what cannot be judged yet is said", async () => {
  const { stdout } = await deployment.workspace.preview({ args: pack });
  expect(stdout).toMatch(/\[advisory\] +unjudged +\(pulumi-nodejs:event-datasets:ApiToken: ci-b\)/);
  expect(stdout).toContain("not known yet: expiry (event-datasets.audit.json)");
  expect(stdout).not.toContain("[mandatory]");
});

test("the update judges it once it is known, and does not make the token", async () => {
  const { stdout } = await deployment.workspace.up({ args: pack, expectFailure: true });
  expect(stdout).toMatch(/\[mandatory\] +long-lived +\(pulumi-nodejs:event-datasets:ApiToken: ci-b\)/);
  expect(deployment.writes()).toEqual(["POST /v2/tokens 200"]);
});

test("a plan that breaks the policy is refused by name, without a secret", async () => {
  const { workspace } = deployment;
  await workspace.writeFile("index.ts", refused);
  const { code, stdout, stderr } = await workspace.preview({ args: pack, expectFailure: true });
  expect(code).not.toBe(0);
  expect(stdout).toMatch(/\[mandatory\] +over-privileged +\(pulumi-nodejs:event-datasets:ApiToken: ci-b\)/);
  expect(stdout).toContain("it would hold a restricted capability: apiTokens:create (event-datasets.audit.json)");
  expect(stdout).toMatch(/\[advisory\] +misnamed +\(pulumi-nodejs:event-datasets:ApiToken: other\)/);
  expect(stdout + stderr).not.toContain("canary");
  expect(deployment.writes()).toEqual(["POST /v2/tokens 200"]);
});
