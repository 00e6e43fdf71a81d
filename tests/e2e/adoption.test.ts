import { expect, test } from "@jest/globals";
import { printProgram } from "../../cli/tokens/adopt";
import { clientOf, createDeployment } from "../support/deployment";

test("the program that `tokens adopt` prints adopts the live tokens without a create, and works on without adopt", async () => {
  await using deployment = await createDeployment({ program: { "index.ts": "" } });
  const { workspace, service } = deployment;
  await using client = clientOf(service);
  const spec = { expiresAt: "2030-01-01T00:00:00Z", orgCapabilities: { users: ["read", "create"] } } as const;
  for (const name of ["one", "two"]) await client.tokens.create({ name, ...spec });
  const program = printProgram(await client.tokens.list());
  await workspace.writeFile("index.ts", program);
  await workspace.up();
  await workspace.writeFile("index.ts", program.replaceAll(/ {2}adopt: .*\n/g, ""));
  expect((await workspace.up()).stdout).toContain("so the provider cannot tell whether it is the access token in use");
  await workspace.up({ args: ["--expect-no-changes"] });
  expect(deployment.writes()).toEqual(["POST /v2/tokens 200", "POST /v2/tokens 200"]);
});
