import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { type Deployment, makeByHand } from "../../support/deployment";
import { CHECKOUT } from "../../support/program";
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

test("a token is imported by command and by option, and inputs that differ never mint one", async () => {
  await using deployment = await createNativeDeployment({ program: yamlProgram(yamlToken("ci", rights)) });
  const { workspace, service } = deployment;
  const theirs = await makeByHand(service, { name: "theirs", ...rights });
  const { stdout } = await workspace.run([
    "import",
    "event-datasets:index:ApiToken",
    "theirs",
    theirs.id,
    "--yes",
    "--skip-preview",
  ]);
  expect(stdout).toContain(`${theirs.id}: its secret cannot be read again, so token is empty`);
  const generated = stdout.slice(stdout.indexOf("  theirs:\n"), stdout.indexOf("protect: true"));
  expect(generated).toContain("type: event-datasets:ApiToken");

  const others = await makeByHand(service, { name: "others", ...rights });
  const declare = (properties: object) =>
    workspace.writeFile(
      "Pulumi.yaml",
      yamlProgram(`${generated}protect: true`, yamlToken("others", properties, { import: others.id }))["Pulumi.yaml"],
    );
  await declare({ name: "others", orgCapabilities: { users: ["read"] } });
  for (const run of [() => workspace.preview({ expectFailure: true }), () => workspace.up({ expectFailure: true })]) {
    expect((await run()).stdout).toContain(
      `${others.id} is not imported: it differs from what is declared in orgCapabilities`,
    );
  }
  await declare({ name: "others", ...rights, retire: "revoke" });
  await workspace.up();
  expect((await deployment.resource("ApiToken", "others")).outputs).toMatchObject({ retire: "revoke" });
  await workspace.preview({ args: ["--expect-no-changes"] });
  // Those that were made by hand.
  expect(deployment.writes()).toEqual(["POST /v2/tokens 200", "POST /v2/tokens 200"]);
  expect((await deployment.resource("ApiToken", "others")).outputs).not.toHaveProperty("token");
});

test("the YAML example deploys, marks its deployment, and stays as it is", async () => {
  await using deployment = await createNativeDeployment({ program: join(CHECKOUT, "examples/languages/yaml") });
  const { workspace, service } = deployment;
  await workspace.up();
  const [annotation] = service.annotations.list();
  expect(await workspace.outputs()).toEqual({
    token: "[secret]",
    fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/),
    rotatesAt: expect.any(String),
    annotation: annotation?.id,
  });
  expect(annotation).toMatchObject({ title: "Deploy event-datasets-yaml to dev (0a1b2c3)", datasets: ["web"] });
  await workspace.up({ args: ["--expect-no-changes"] });
});
