import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { CHECKOUT } from "../../support/program";
import { createNativeDeployment, goRuntime, languagePrograms } from "./workspace";

test("the Go example deploys, stays as it is and destroys", async () => {
  const { goExample } = await languagePrograms();
  const project = await readFile(join(CHECKOUT, "examples/languages/go/Pulumi.yaml"), "utf8");
  const program = { "Pulumi.yaml": project.replace(/^runtime: go$/m, goRuntime(goExample)) };
  await using deployment = await createNativeDeployment({ program }, [goExample]);
  const { workspace, service } = deployment;
  await workspace.up();
  const { token } = await workspace.outputs({ showSecrets: true });
  expect(await workspace.outputs()).toEqual({
    token: "[secret]",
    fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/),
  });
  await workspace.up({ args: ["--expect-no-changes"] });
  expect(await deployment.traces(String(token))).toEqual([]);
  await workspace.destroy();
  expect(service.tokens.list()).toEqual([]);
  expect(deployment.writes().filter((call) => call.startsWith("POST"))).toHaveLength(1);
});
