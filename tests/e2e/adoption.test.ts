import { expect, test } from "@jest/globals";
import { printProgram } from "../../cli/tokenProgram";
import { EventDatasets } from "../../sdk";
import { createDeployment, makeByHand } from "../support/deployment";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

test("a live token is adopted without a create, cannot change while it is adopted, and stays when adopt is removed", async () => {
  const program = (args: string) => `import * as pulumi from "@pulumi/pulumi";
import { ApiToken } from "pulumi-event-datasets";
const config = new pulumi.Config();
const legacy = new ApiToken("legacy", { name: "legacy", ${args} });
export const { id, token } = legacy;
`;
  const spec = `orgCapabilities: { apiTokens: ["read"] }, expiresAt: "2030-01-01T00:00:00Z"`;
  const adopt = `adopt: { name: "legacy", token: config.require("secret") }`;
  await using deployment = await createDeployment({ program: { "index.ts": program(`${spec}, ${adopt}`) } });
  const { workspace, service } = deployment;
  const { id, token } = await makeByHand(service, {
    name: "legacy",
    expiresAt: "2030-01-01T00:00:00Z",
    orgCapabilities: { apiTokens: ["read"] },
  });
  await workspace.setConfig("secret", token, { secret: true });
  const write = (args: string) => workspace.writeFile("index.ts", program(args));

  await write(`orgCapabilities: { apiTokens: ["create"] }, ${adopt}`);
  expect((await workspace.up({ expectFailure: true })).stdout).toContain(
    `it differs from what is declared in expiresAt (live: "2030-01-01T00:00:00Z"), orgCapabilities (live: {"apiTokens":["read"]})`,
  );

  await write(`${spec}, ${adopt}`);
  await workspace.up();
  expect(await workspace.outputs({ showSecrets: true })).toEqual({ id, token });
  await workspace.up({ args: ["--expect-no-changes"] });

  await write(`${spec.replace('"read"', '"read", "create"')}, ${adopt}`);
  expect((await workspace.preview({ expectFailure: true })).stdout).toContain(
    "orgCapabilities cannot change while adopt is present: remove adopt first",
  );

  await write(spec);
  await workspace.up({ args: ["--expect-no-changes"] });
  await workspace.refresh({ args: ["--expect-no-changes"] });
  expect(await workspace.outputs({ showSecrets: true })).toEqual({ id, token });
  expect(deployment.writes()).toEqual(["POST /v2/tokens 200"]);
  expect(await deployment.traces(token)).toEqual([]);
});

test("the program that `tokens adopt` prints adopts the live tokens without a create, and works on without adopt", async () => {
  await using deployment = await createDeployment({ program: { "index.ts": "" } });
  const { workspace, service } = deployment;
  await using client = new EventDatasets({ baseUrl: service.url, accessToken: service.rootToken });
  for (const name of ["one", "two"]) {
    await client.tokens.create({
      name,
      expiresAt: "2030-01-01T00:00:00Z",
      orgCapabilities: { users: ["read", "create"] },
    });
  }
  const program = printProgram(await client.tokens.list());
  await workspace.writeFile("index.ts", program);
  await workspace.up();
  await workspace.writeFile("index.ts", program.replaceAll(/ {2}adopt: .*\n/g, ""));
  await workspace.up({ args: ["--expect-no-changes"] });
  expect(deployment.writes()).toEqual(["POST /v2/tokens 200", "POST /v2/tokens 200"]);
});

test("removing a resource does not revoke its token once a resource of another provider adopted it", async () => {
  const extended = { serviceOptions: { profile: "extended" }, env: { EVENT_DATASETS_PROFILE: "extended" } } as const;
  const spec = (name: string) => `name: "${name}", orgCapabilities: { apiTokens: ["read"] }`;
  const specAdopting = (name: string, adopt: object) => `${spec(name)}, adopt: ${JSON.stringify(adopt)}`;
  const program = {
    "index.ts": `import { ApiToken } from "pulumi-event-datasets";
new ApiToken("a", { ${specAdopting("legacy", { name: "legacy" })} });
new ApiToken("maker", { ${spec("made")} });
`,
  };
  await using deployment = await createDeployment({ ...extended, program });
  const { workspace, service } = deployment;
  const legacy = await makeByHand(service, { name: "legacy", orgCapabilities: { apiTokens: ["read"] } });
  const { stdout: preview } = await workspace.preview();
  expect(preview).toContain('API token "legacy" will adopt the token named "legacy"; nothing is created');
  expect(preview).not.toMatch(/"legacy".*no expiry|undefined/);
  await workspace.up();
  const before = service.tokens.list();
  const made = before.find(({ name }) => name === "made");

  await workspace.writeFile(
    "index.ts",
    `import { ApiToken, Provider } from "pulumi-event-datasets";
const provider = new Provider("own", { baseUrl: "${service.url}", accessToken: "${service.rootToken}", profile: "extended" });
new ApiToken("b", { ${specAdopting("legacy", { name: "legacy" })} }, { provider });
new ApiToken("heir", { ${specAdopting("made", { id: made?.id })} }, { provider });
`,
  );
  const { stdout } = await workspace.up();
  for (const { id } of [legacy, made ?? { id: "none" }]) {
    expect(stdout).toMatch(new RegExp(`${id}.* is managed by another resource of this update: it is left alone`));
  }
  expect(service.tokens.list()).toEqual(before);
  expect((await deployment.resource("ApiToken", "b")).id).toBe(legacy.id);
  expect((await deployment.resource("ApiToken", "heir")).id).toBe(made?.id);
});
