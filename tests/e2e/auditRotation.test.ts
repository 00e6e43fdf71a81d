import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { cli } from "../support/cli";
import { createDeployment, type Deployment, startTemporaryEmulator } from "../support/deployment";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

const names = ["one", "two", "three"];
const rights = { annotations: ["create"] };

/** Three tokens that rotate as in the guide on rotation, and the credential of the audit. */
const program = (generation: number) => `import { ApiToken } from "pulumi-event-datasets";
for (const name of ${JSON.stringify(names)}) {
  new ApiToken(name, {
    orgCapabilities: ${JSON.stringify(rights)},
    expiresIn: "90d", rotation: { rotateBefore: "14d", triggers: { generation: "${generation}" } },
  });
}
const auditor = new ApiToken("auditor", { orgCapabilities: { apiTokens: ["read"] }, expiresIn: "90d" });
export const credential = auditor.token;
`;

let deployment: Deployment;
let credential: string;

beforeAll(async () => {
  deployment = await createDeployment({ program: { "index.ts": program(1) } });
  const { workspace } = deployment;
  await workspace.up();
  await workspace.writeFile("index.ts", program(2));
  await workspace.up();
  ({ credential } = (await workspace.outputs({ showSecrets: true })) as { credential: string });
});

afterAll(async () => deployment?.[Symbol.asyncDispose]());

async function audit() {
  const { workspace, service } = deployment;
  const result = await cli(["audit", "--all-stacks", "--output", "json"], {
    cwd: workspace.temp,
    env: {
      HOME: workspace.home,
      PULUMI_HOME: workspace.home,
      PULUMI_BACKEND_URL: `file://${workspace.backend}`,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      EVENT_DATASETS_BASE_URL: service.url,
      EVENT_DATASETS_ACCESS_TOKEN: credential, // another one than the tokens were made with
    },
  });
  const findings: { rule: string; severity: string; token: { id: string; name: string }; declared: { urn: string } }[] =
    result.stdout === "" ? [] : JSON.parse(result.stdout).findings;
  return { ...result, findings, told: findings.map(({ rule, token: { id } }) => `${rule} ${id}`) };
}

test("where tokens cannot be revoked, a rotation of three tokens gives three notes and exit code 0", async () => {
  const { code, findings, stderr } = await audit();
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("exporting 1 stack") });
  expect(
    findings.map(({ rule, severity, declared }) => `${severity} ${rule} ${declared.urn.split("::").at(-1)}`).sort(),
  ).toEqual([...names].sort().map((name) => `note retired ${name}`));
  expect(deployment.service.tokens.list()).toHaveLength(7);
});

test("the audit refuses an account at the recorded address that has none of the declared tokens", async () => {
  const { service, workspace } = deployment;
  await using other = await startTemporaryEmulator();
  await other.tokens.add([{ id: "t1", name: "of another account" }]);
  const state = path.join(workspace.temp, "state.json");
  const exported = JSON.stringify(await workspace.export());
  await writeFile(state, exported.replaceAll(service.url, other.url));
  const { code, stdout, stderr } = await cli(["audit", "--state", state], {
    cwd: workspace.temp,
    env: { EVENT_DATASETS_BASE_URL: other.url, EVENT_DATASETS_ACCESS_TOKEN: other.rootToken },
  });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/lists none of the 4 declared tokens, and nothing proves that they belong to this account/);
});
