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

test("a pattern of pulumi:autonaming names tokens without being enforced, and without one a name has the provider's form", async () => {
  const program = yamlProgram(yamlToken("ci", rights));
  await using deployment = await createNativeDeployment({ program });
  const { workspace, service } = deployment;
  await workspace.up();
  const pattern = `config: { "pulumi:autonaming": { value: { pattern: "\${name}-of-\${stack}-\${num(9)}" } } }`;
  const both = yamlProgram(yamlToken("ci", rights), yamlToken("later", rights))["Pulumi.yaml"];
  await workspace.writeFile("Pulumi.yaml", `${both}\n${pattern}\n`);
  await workspace.up();
  const names = service.tokens.list().map(({ name }) => name);
  expect(names).toEqual([expect.stringMatching(/^ci-[0-9a-f]{7}$/), expect.stringMatching(/^later-of-\w+-\d{9}$/)]);
});
