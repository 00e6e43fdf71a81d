import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { createDeployment, startTemporaryEmulator } from "../../support/deployment";
import { pluginFolder } from "../../support/program";

const token = (name: string, options: object) => `  ${name}:
    type: event-datasets:ApiToken
    properties: { expiresIn: 90d, orgCapabilities: { users: [read] } }
    options: ${JSON.stringify(options)}
`;

test("two versions of the plugin and two accounts work side by side in one stack", async () => {
  await using other = await startTemporaryEmulator({ profile: "extended" });
  const settings = { baseUrl: other.url, accessToken: other.rootToken, profile: "extended" };
  const program = `name: web
runtime: yaml
resources:
  other:
    type: pulumi:providers:event-datasets
    properties: ${JSON.stringify(settings)}
    options: { version: 1.0.0 }
${token("old", { version: "0.9.0" })}${token("new", { version: "1.0.0" })}${token("elsewhere", { provider: `\${other}` })}`;
  await using deployment = await createDeployment({ program: { "Pulumi.yaml": program }, profile: "extended" });
  const { workspace, service } = deployment;
  const archive = join(workspace.root, "plugin.tar.gz");
  await promisify(execFile)("tar", ["czf", archive, "-C", pluginFolder, "pulumi-resource-event-datasets"]);
  for (const version of ["0.9.0", "1.0.0"])
    await workspace.run(["plugin", "install", "resource", "event-datasets", version, "-f", archive]);
  await workspace.up();
  const providers = (await workspace.export()).deployment.resources?.filter(({ type }) =>
    type.startsWith("pulumi:providers"),
  );
  expect(providers?.map(({ urn }) => urn.split("::").at(-1)).sort()).toEqual([
    "default_0_9_0",
    "default_1_0_0",
    "other",
  ]);
  const namesOf = (tokens: readonly Readonly<Record<string, unknown>>[]) =>
    tokens.map(({ name }) => String(name).replace(/-\w{7}$/, "")).sort();
  expect(namesOf(service.tokens.list())).toEqual(["new", "old"]);
  expect(namesOf(other.tokens.list())).toEqual(["elsewhere"]);
  await workspace.destroy();
  expect([...service.tokens.list(), ...other.tokens.list()]).toEqual([]);
});
