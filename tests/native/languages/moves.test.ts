import { expect, test } from "@jest/globals";
import { createNativeDeployment, rights, yamlProgram, yamlToken } from "./workspace";

test("tokens of the stack's and of an explicit provider move from the dynamic form and back, unchanged, with their secrets", async () => {
  const dynamic = (aliases = "") => `import { ApiToken, Provider } from "pulumi-event-datasets";
const [baseUrl, accessToken] = [process.env.OTHER_URL ?? "", process.env.OTHER_TOKEN ?? ""];
const provider = new Provider("other", { baseUrl, accessToken, profile: "extended" });
export const { token } = new ApiToken("ci", ${JSON.stringify(rights)}, { ${aliases} });
export const elsewhere = new ApiToken("elsewhere", ${JSON.stringify(rights)}, { provider, ${aliases} }).token;
`;
  const node = "name: web\nruntime: nodejs\n";
  await using deployment = await createNativeDeployment({ program: { "Pulumi.yaml": node, "index.ts": dynamic() } });
  const { workspace, service } = deployment;
  const settings = { baseUrl: service.url, accessToken: service.rootToken, profile: "extended" };
  const env = { OTHER_URL: settings.baseUrl, OTHER_TOKEN: settings.accessToken };
  const provider = `  other:
    type: pulumi:providers:event-datasets
    properties: ${JSON.stringify(settings)}`;
  const tokens = [yamlToken("ci", rights), yamlToken("elsewhere", rights, { provider: `\${other}` })];
  const outputs = `outputs:\n  token: \${ci.token}\n  elsewhere: \${elsewhere.token}`;
  const yaml = yamlProgram(provider, ...tokens, outputs)["Pulumi.yaml"];
  await workspace.up({ env });
  const before = await workspace.outputs({ showSecrets: true });

  await workspace.writeFile("Pulumi.yaml", yaml);
  await workspace.up();
  expect(await workspace.outputs({ showSecrets: true })).toEqual(before);
  await workspace.refresh({ args: ["--expect-no-changes"] });

  await workspace.writeFile("Pulumi.yaml", node);
  await workspace.writeFile("index.ts", dynamic(`aliases: [{ type: "event-datasets:index:ApiToken" }]`));
  await workspace.up({ env });
  expect(await workspace.outputs({ showSecrets: true })).toEqual(before);
  await workspace.refresh({ args: ["--expect-no-changes"] });
  expect(deployment.writes()).toEqual(["POST /v2/tokens 200", "POST /v2/tokens 200"]);
  await workspace.destroy();
  expect(service.tokens.list()).toEqual([]);
});
