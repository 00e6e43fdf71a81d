import { expect, test } from "@jest/globals";
import { createNativeDeployment, rights, yamlProgram, yamlToken } from "./workspace";

const outputs = `outputs:
  id: \${ci.id}
  token: \${ci.token}`;

test("a program in YAML rotates a token by a saved plan, and its secret shows nowhere", async () => {
  await using deployment = await createNativeDeployment({ program: yamlProgram(yamlToken("ci", rights), outputs) });
  const { workspace, service } = deployment;
  await workspace.up();
  const first = await workspace.outputs({ showSecrets: true });
  const rotated = { ...rights, rotation: { triggers: { round: 2 } } };
  await workspace.writeFile("Pulumi.yaml", yamlProgram(yamlToken("ci", rotated), outputs)["Pulumi.yaml"]);
  const { stdout, stderr } = await workspace.preview({ args: ["--diff", "--save-plan", "plan.json"] });
  expect(stderr).toMatch(
    /API token "ci-\w{7}" \(id \w+\) will be replaced, which creates a new secret: rotation\.triggers/,
  );
  expect(stdout).toMatch(/\+ rotation: \{/);
  await workspace.up({ args: ["--plan", "plan.json"] });
  const second = await workspace.outputs({ showSecrets: true });
  expect(service.tokens.list().map(({ id }) => id)).toEqual([second.id]);
  const secrets = [first.token, second.token, service.rootToken].map(String);
  expect(await deployment.traces(...secrets)).toEqual([]);
});
