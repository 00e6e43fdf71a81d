import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import schema from "../../../schema.json";
import { createDeployment } from "../../support/deployment";
import { pluginFolder } from "../../support/program";

const program = `name: web
runtime: yaml
resources:
  ci:
    type: event-datasets:ApiToken
    properties: { orgCapabilities: { users: [read] } }
outputs:
  token: \${ci.token}
`;

test("an installed plugin needs no PATH, and its schema comes out of the one file", async () => {
  await using deployment = await createDeployment({ program: { "Pulumi.yaml": program } });
  const { workspace, service } = deployment;
  const plugin = join(pluginFolder, "pulumi-resource-event-datasets");
  // As the engine prints it, less lists that are empty.
  const printed = JSON.parse(JSON.stringify(schema), (_, value) => (value?.length === 0 ? undefined : value));
  expect(JSON.parse((await workspace.run(["package", "get-schema", plugin])).stdout)).toEqual(printed);
  await workspace.run(["package", "add", plugin]);

  const archive = join(workspace.root, "plugin.tar.gz");
  await promisify(execFile)("tar", ["czf", archive, "-C", pluginFolder, "pulumi-resource-event-datasets"]);
  await workspace.run(["plugin", "install", "resource", "event-datasets", schema.version, "-f", archive]);
  const { stderr } = await workspace.up();
  expect(stderr).not.toContain("using pulumi-resource-event-datasets from $PATH");
  expect(service.tokens.list()).toHaveLength(1);
});
