import { expect, test } from "@jest/globals";
import { printProgram } from "../../cli/tokenProgram";
import { EventDatasets } from "../../sdk";
import { createDeployment, makeByHand } from "../support/deployment";

test("a live token is adopted without a create, cannot change while it is adopted, and is owned when adopt is removed", async () => {
  const program = (args: string) => `import * as pulumi from "@pulumi/pulumi";
import { ApiToken } from "pulumi-event-datasets";
const config = new pulumi.Config();
const legacy = new ApiToken("legacy", { name: "legacy", ${args} });
export const { id, token } = legacy;
`;
  const spec = `orgCapabilities: { apiTokens: ["read"] }, expiresAt: "2030-01-01T00:00:00Z"`;
  await using deployment = await createDeployment({ program: { "index.ts": "" } });
  const { workspace, service } = deployment;
  const { id, token } = await makeByHand(service, {
    name: "legacy",
    expiresAt: "2030-01-01T00:00:00Z",
    orgCapabilities: { apiTokens: ["read"] },
  });
  const adopt = `adopt: { id: "${id}", token: config.require("secret") }`;
  await workspace.setConfig("secret", token, { secret: true });
  const write = (args: string) => workspace.writeFile("index.ts", program(args));

  await write(`orgCapabilities: { apiTokens: ["create"] }, ${adopt}`);
  expect((await workspace.up({ expectFailure: true })).stdout).toContain(
    `it differs from its declaration in expiresAt (live: "2030-01-01T00:00:00Z"), orgCapabilities (live: {"apiTokens":["read"]})`,
  );

  await write(`${spec}, ${adopt}`);
  expect((await workspace.up()).stdout).toContain("adopts an existing token and creates none");
  expect(await workspace.outputs({ showSecrets: true })).toEqual({ id, token });

  await write(`${spec.replace('"read"', '"read", "create"')}, ${adopt}`);
  expect((await workspace.preview({ args: ["--expect-no-changes"] })).stdout).toContain(
    `is only borrowed, so it is not changed, although it differs from its declaration in orgCapabilities (live: {"apiTokens":["read"]})`,
  );

  await write(spec);
  expect((await workspace.up()).stdout).toContain(`(id ${id}) is owned by this resource from now on`);
  await workspace.up({ args: ["--refresh", "--expect-no-changes"] });
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
  expect((await workspace.up()).stdout).toContain("so the provider cannot tell whether it is the access token in use");
  await workspace.up({ args: ["--expect-no-changes"] });
  expect(deployment.writes()).toEqual(["POST /v2/tokens 200", "POST /v2/tokens 200"]);
});
