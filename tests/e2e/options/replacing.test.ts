import { expect, test } from "@jest/globals";
import { createDeployment } from "../../support/deployment";

const extended = { serviceOptions: { profile: "extended" }, env: { EVENT_DATASETS_PROFILE: "extended" } } as const;

const spec = { expiresAt: "2099-01-01T00:00:00Z", orgCapabilities: { apiTokens: ["read"] } };

const program = (args: object, options = "{}", name = "ci") => `import { ApiToken } from "pulumi-event-datasets";
export const { id, name, token } = new ApiToken("${name}", ${JSON.stringify(args)}, ${options});
`;

test("ignoreChanges: a change of an ignored argument changes nothing; a replacement for another reason takes it up", async () => {
  const ignore = `{ ignoreChanges: ["orgCapabilities", "description"] }`;
  await using deployment = await createDeployment({ program: { "index.ts": program(spec, ignore) } });
  const { workspace, service } = deployment;
  await workspace.up();

  const changed = { ...spec, description: "new", orgCapabilities: { apiTokens: ["read", "create"] } };
  await workspace.writeFile("index.ts", program(changed, ignore));
  await workspace.preview({ args: ["--expect-no-changes"] });
  await workspace.up({ args: ["--expect-no-changes"] });

  await workspace.writeFile("index.ts", program({ ...changed, expiresAt: "2098-01-01T00:00:00Z" }, ignore));
  await workspace.up();
  const { id } = await workspace.outputs();
  // The engine checks the inputs of a replacement as those of a new resource, which has nothing to keep.
  expect(service.tokens.list().find((token) => token.id === id)).toMatchObject({
    ...changed,
    expiresAt: "2098-01-01T00:00:00Z",
  });
});

test("protect: a protected token is neither replaced nor destroyed", async () => {
  const protect = "{ protect: true }";
  await using deployment = await createDeployment({ ...extended, program: { "index.ts": program(spec, protect) } });
  const { workspace, service } = deployment;
  await workspace.up();
  const before = service.tokens.list();

  await workspace.writeFile("index.ts", program({ ...spec, description: "new" }, protect));
  expect((await workspace.up({ expectFailure: true })).stdout).toContain("marked for protection");
  expect((await workspace.destroy({ expectFailure: true })).stdout).toMatch(/protect/);
  expect(service.tokens.list()).toEqual(before);
  expect(deployment.writes()).toEqual(["POST /v2/tokens 200"]);
});

test("retainOnDelete: the extended profile revokes neither the replaced nor the destroyed token", async () => {
  const retain = "{ retainOnDelete: true }";
  await using deployment = await createDeployment({ ...extended, program: { "index.ts": program(spec, retain) } });
  const { workspace, service } = deployment;
  await workspace.up();
  await workspace.writeFile("index.ts", program({ ...spec, description: "new" }, retain));
  await workspace.up();
  await workspace.destroy();
  expect((await workspace.export()).deployment.resources ?? []).toEqual([]);
  expect(deployment.writes()).toEqual(["POST /v2/tokens 200", "POST /v2/tokens 200"]);
  expect(service.tokens.list()).toHaveLength(2);
});

test("deleteBeforeReplace: the old token is revoked before the new one is made", async () => {
  const first = "{ deleteBeforeReplace: true }";
  const fixed = { ...spec, name: "fixed" };
  await using deployment = await createDeployment({ ...extended, program: { "index.ts": program(fixed, first) } });
  const { workspace, service } = deployment;
  await workspace.up();
  const [old] = service.tokens.list();
  await workspace.writeFile("index.ts", program({ ...fixed, description: "new" }, first));
  await workspace.preview();
  await workspace.up();
  const [renewed] = service.tokens.list();
  expect(renewed).toMatchObject({ name: "fixed", description: "new" });
  expect(deployment.writes()).toEqual([
    "POST /v2/tokens 200",
    `DELETE /v2/tokens/${old?.id} 204`,
    "POST /v2/tokens 200",
  ]);
  expect((await workspace.outputs()).id).toBe(renewed?.id);
});

test("aliases: a resource that was renamed keeps its token and its generated name; its next token gets a name of the new one", async () => {
  await using deployment = await createDeployment({ program: { "index.ts": program(spec) } });
  const { workspace } = deployment;
  await workspace.up();
  const before = await workspace.outputs({ showSecrets: true });

  const renamed = `{ aliases: [{ name: "ci" }] }`;
  await workspace.writeFile("index.ts", program(spec, renamed, "build"));
  await workspace.preview({ args: ["--expect-no-changes"] });
  await workspace.up({ args: ["--expect-no-changes"] });
  await workspace.refresh({ args: ["--expect-no-changes"] });
  expect(await workspace.outputs({ showSecrets: true })).toEqual(before);
  expect((await deployment.resource("ApiToken", "build")).id).toBe(before.id);
  await workspace.writeFile("index.ts", program(spec, "{}", "build"));
  await workspace.up({ args: ["--expect-no-changes"] });

  await workspace.writeFile("index.ts", program({ ...spec, description: "new" }, "{}", "build"));
  await workspace.up();
  expect((await workspace.outputs()).name).toMatch(/^build-[0-9a-f]{7}$/);
});

test("aliases: a token that was declared under an earlier type token is taken over without a change", async () => {
  const earlier = `import * as pulumi from "@pulumi/pulumi";
class EarlierToken extends pulumi.CustomResource {
  declare readonly token: pulumi.Output<string>;
  constructor(name: string, args: object) {
    const __provider = 'exports.handler=()=>require("pulumi-event-datasets/dynamic/v1/api-token")';
    const options = { additionalSecretOutputs: ["token"] };
    super("pulumi-nodejs:dynamic:Resource", name, { ...args, token: undefined, __provider }, options);
  }
}
export const { id, token } = new EarlierToken("ci", ${JSON.stringify({ ...spec, name: "fixed" })});
`;
  await using deployment = await createDeployment({ program: { "index.ts": earlier } });
  const { workspace } = deployment;
  await workspace.up();
  const before = await workspace.outputs({ showSecrets: true });

  const alias = `{ aliases: [{ type: "pulumi-nodejs:dynamic:Resource" }] }`;
  await workspace.writeFile("index.ts", program({ ...spec, name: "fixed" }, alias));
  await workspace.preview({ args: ["--expect-no-changes"] });
  await workspace.up({ args: ["--expect-no-changes"] });
  await workspace.refresh({ args: ["--expect-no-changes"] });
  expect(await workspace.outputs({ showSecrets: true })).toEqual({ ...before, name: "fixed" });
  expect((await deployment.resource("ApiToken", "ci")).type).toBe("pulumi-nodejs:event-datasets:ApiToken");
  expect(deployment.writes()).toEqual(["POST /v2/tokens 200"]);
  expect(await deployment.traces(String(before.token))).toEqual([]);
});
