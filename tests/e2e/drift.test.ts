import { expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";
import { ageTokens } from "../support/stack";

const program = {
  "index.ts": `import { ApiToken } from "pulumi-event-datasets";
export const { id, token } = new ApiToken("ci", { orgCapabilities: { apiTokens: ["read"] } });
`,
};

test("after a refresh a token that was deleted elsewhere is created again, and one that gained a capability is replaced", async () => {
  const two = `${program["index.ts"]}export const gone = new ApiToken("gone", { orgCapabilities: { users: ["read"] } }).id;\n`;
  await using deployment = await createDeployment({ program: { "index.ts": two } });
  const { workspace, service } = deployment;
  await workspace.up();
  const before = await workspace.outputs({ showSecrets: true });
  await service.tokens.remove(String(before.gone));
  await ageTokens(workspace);
  await service.tokens.change(String(before.id), { orgCapabilities: { apiTokens: ["read"], rbac: ["create"] } });

  const refreshed = await workspace.refresh();
  expect(refreshed.stdout).toMatch(/~ 1 updated\s+- 1 deleted/);
  // The secret is not part of what can be read, and is still there.
  expect((await workspace.outputs({ showSecrets: true })).token).toBe(before.token);
  expect(await deployment.traces(String(before.token))).toEqual([]);

  const { stdout } = await workspace.up();
  expect(stdout).toMatch(/\[diff: .*orgCapabilities.*\]/);
  expect(stdout).toMatch(/\+ 1 created/);
  const after = await workspace.outputs();
  expect(after.gone).not.toBe(before.gone);
  const live = new Map(service.tokens.list().map((token) => [token.id, token.orgCapabilities]));
  expect(live.get(String(after.id))).toEqual({ apiTokens: ["read"] });
  expect(live.get(String(after.gone))).toEqual({ users: ["read"] });
  await workspace.preview({ args: ["--expect-no-changes"] });
});
