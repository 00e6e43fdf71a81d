import { expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";

const program = {
  "index.ts": `import { ApiToken } from "pulumi-event-datasets";
export const { id, token } = new ApiToken("ci", { orgCapabilities: { apiTokens: ["read"] } });
`,
};

test("a token that was removed behind our back is seen by a refresh and made again by the next update", async () => {
  await using deployment = await createDeployment({ program });
  const { workspace, service } = deployment;
  await workspace.up();
  const [old] = service.tokens.list();
  await service.tokens.remove(String(old?.id));

  expect((await workspace.refresh()).stdout).toMatch(/- 1 deleted/);
  expect((await workspace.up()).stdout).toMatch(/\+ 1 created/);
  const [renewed] = service.tokens.list();
  expect(renewed?.id).not.toBe(old?.id);
  expect((await workspace.outputs()).id).toBe(renewed?.id);
});

test("a token that gained a capability behind our back is seen by a refresh and replaced by the next update", async () => {
  await using deployment = await createDeployment({ program });
  const { workspace, service } = deployment;
  await workspace.up();
  const secret = String((await workspace.outputs({ showSecrets: true })).token);
  const [live] = service.tokens.list();
  await service.tokens.change(String(live?.id), { orgCapabilities: { apiTokens: ["read"], rbac: ["create"] } });

  const refreshed = await workspace.refresh({ args: ["--diff"] });
  expect(refreshed.stdout).toMatch(/\+ rbac/);
  // The secret is not part of what can be read, and is still there.
  expect((await workspace.outputs({ showSecrets: true })).token).toBe(secret);
  expect(await deployment.traces(secret)).toEqual([]);

  expect((await workspace.up()).stdout).toMatch(/\[diff: .*orgCapabilities.*\]/);
  const { id } = await workspace.outputs();
  expect(service.tokens.list().find((token) => token.id === id)).toMatchObject({
    orgCapabilities: { apiTokens: ["read"] },
  });
  await workspace.preview({ args: ["--expect-no-changes"] });
});

test("an outage during a refresh keeps the state as it is", async () => {
  await using deployment = await createDeployment({ program });
  const { workspace, service } = deployment;
  await workspace.up();
  const before = await workspace.outputs({ showSecrets: true });
  service.inject({ method: "GET", path: "/v2/tokens*", times: 10, action: { kind: "status", status: 503 } });
  await workspace.refresh({ expectFailure: true });
  expect(await workspace.outputs({ showSecrets: true })).toEqual(before);
  expect((await deployment.resource("ApiToken", "ci")).id).toBe(before.id);
});

test("another service that does not know the token is an error that names both addresses, not a deletion", async () => {
  await using deployment = await createDeployment({ program });
  await using elsewhere = await createDeployment({ program });
  await deployment.workspace.up();
  const env = {
    EVENT_DATASETS_BASE_URL: elsewhere.service.url,
    EVENT_DATASETS_ACCESS_TOKEN: elsewhere.service.rootToken,
  };
  const { stdout } = await deployment.workspace.refresh({ expectFailure: true, env });
  expect(stdout).toContain(`${elsewhere.service.url} does not have`);
  expect(stdout).toContain(`recorded on ${deployment.service.url}`);
  expect((await deployment.resource("ApiToken", "ci")).id).toBe(deployment.service.tokens.list()[0]?.id);
});
