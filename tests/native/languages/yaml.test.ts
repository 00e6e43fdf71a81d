import { expect, test } from "@jest/globals";
import type { Deployment } from "../../support/deployment";
import { createNativeDeployment, rights, yamlProgram, yamlToken } from "./workspace";

const outputs = `outputs:
  id: \${ci.id}
  token: \${ci.token}
  fingerprint: \${ci.fingerprint}`;

const creates = (deployment: Deployment) => deployment.writes().filter((call) => call.startsWith("POST")).length;

test("a program in YAML deploys, plans, rotates and destroys a token whose secret shows nowhere", async () => {
  await using deployment = await createNativeDeployment({ program: yamlProgram(yamlToken("ci", rights), outputs) });
  const { workspace, service } = deployment;
  expect((await workspace.preview()).stdout).toMatch(/ApiToken ci create/);
  expect(deployment.writes()).toEqual([]);
  await workspace.up();
  const first = await workspace.outputs({ showSecrets: true });
  expect((await workspace.outputs()).token).toBe("[secret]");
  await workspace.refresh({ args: ["--expect-no-changes"] });
  const frozen = yamlToken("ci", { ...rights, description: "ignored" }, { ignoreChanges: ["*"] });
  await workspace.writeFile("Pulumi.yaml", yamlProgram(frozen, outputs)["Pulumi.yaml"]);
  await workspace.up({ args: ["--expect-no-changes"] });

  const rotated = { ...rights, rotation: { triggers: { round: 2 } } };
  await workspace.writeFile("Pulumi.yaml", yamlProgram(yamlToken("ci", rotated), outputs)["Pulumi.yaml"]);
  const { stdout, stderr } = await workspace.preview({ args: ["--diff", "--save-plan", "plan.json"] });
  expect(stderr).toMatch(
    /API token "ci-\w{7}" \(id \w+\) will be replaced, which creates a new secret: rotation\.triggers/,
  );
  expect(stdout).toMatch(/\+ rotation: \{/);
  await workspace.up({ args: ["--plan", "plan.json"] });
  const second = await workspace.outputs({ showSecrets: true });
  expect(second.fingerprint).not.toBe(first.fingerprint);
  expect(service.tokens.list().map(({ id }) => id)).toEqual([second.id]);
  expect([
    ...(await deployment.traces(String(first.token))),
    ...(await deployment.traces(String(second.token))),
  ]).toEqual([]);
  expect(await deployment.traces(service.rootToken)).toEqual([]);

  await workspace.destroy();
  expect(service.tokens.list()).toEqual([]);
  expect(creates(deployment)).toBe(2);
});
