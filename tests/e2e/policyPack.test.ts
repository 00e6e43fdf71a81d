import { writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";
import { bothForms, inForm, layOutPack } from "../support/program";
import { openForTests } from "../support/suite";

const policy = {
  version: 1,
  maxLifetime: "100d",
  names: ["ci-*"],
  restricted: [{ capability: "apiTokens:create", holders: [{ stack: "e2e/prod" }] }],
  rules: { "over-privileged": "error" },
};

/** One token that is fine, and one whose end only the update knows: too far away. */
const computed = `${bothForms}
const a = new dynamic.ApiToken("ci-a", { expiresIn: "90d" });
const later = a.expiresAt.apply((at) => at && new Date(Date.parse(at) + 110 * 86_400_000).toISOString());
new dynamic.ApiToken("ci-b", { expiresAt: later });`;

const refused = `${bothForms}
import * as pulumi from "@pulumi/pulumi";
new dynamic.ApiToken("ci-a", { expiresIn: "90d" });
inBothForms((form, { ApiToken }) =>
  new ApiToken("ci-" + form, { expiresIn: "90d", orgCapabilities: { apiTokens: ["create"] } }));
new dynamic.ApiToken("other", { name: pulumi.secret("canary-name-1"), expiresIn: "90d" });`;

const deployment = openForTests(() => createDeployment(inForm("both", { program: { "index.ts": computed } })));
let pack: { readonly args: readonly string[] };

beforeAll(async () => {
  const { workspace } = deployment;
  // Above the pack, as a project's file is above its node_modules.
  await writeFile(path.join(workspace.root, "event-datasets.audit.json"), JSON.stringify(policy));
  pack = { args: ["--policy-pack", await layOutPack(workspace.root)] };
});

test("a plan that keeps the policy passes, and what cannot be judged yet is said", async () => {
  const { stdout } = await deployment.workspace.preview(pack);
  expect(stdout).toMatch(/\[advisory\] +unchecked +\(pulumi-nodejs:event-datasets:ApiToken: ci-b\)/);
  expect(stdout).toContain("this is not known yet: expiry (event-datasets.audit.json)");
  expect(stdout).not.toContain("[mandatory]");
});

test("the update judges it once it is known, and does not make the token", async () => {
  const { stdout } = await deployment.workspace.up({ ...pack, expectFailure: true });
  expect(stdout).toMatch(/\[mandatory\] +long-lived +\(pulumi-nodejs:event-datasets:ApiToken: ci-b\)/);
  expect(deployment.writes()).toEqual(["POST /v2/tokens 200"]);
});

test("a plan that breaks the policy is refused by name, without a secret", async () => {
  const { workspace } = deployment;
  await workspace.writeFile("index.ts", refused);
  const { code, stdout, stderr } = await workspace.preview({ ...pack, expectFailure: true });
  expect(code).not.toBe(0);
  for (const resource of [
    "pulumi-nodejs:event-datasets:ApiToken: ci-dynamic",
    "event-datasets:index:ApiToken: ci-native",
  ])
    expect(stdout).toMatch(new RegExp(`\\[mandatory\\] +over-privileged +\\(${resource}\\)`));
  expect(stdout).toContain("it would have a restricted capability: apiTokens:create (event-datasets.audit.json)");
  expect(stdout).toMatch(/\[advisory\] +misnamed +\(pulumi-nodejs:event-datasets:ApiToken: other\)/);
  expect(stdout + stderr).not.toContain("canary");
  expect(deployment.writes()).toEqual(["POST /v2/tokens 200"]);
});
