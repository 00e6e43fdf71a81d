import { expect, test } from "@jest/globals";
import { makeByHand, startTemporaryEmulator } from "../../support/deployment";
import { createNativeDeployment, rights, yamlProgram, yamlToken } from "./workspace";

const type = "event-datasets:index:ApiToken";

/** Another account, as an explicit provider. */
const program = (url: string, token: string) => ({
  "Pulumi.yaml": `name: web
runtime: yaml
resources:
  other:
    type: pulumi:providers:event-datasets
    properties: ${JSON.stringify({ baseUrl: url, accessToken: token, profile: "extended" })}
`,
});

test("tokens are imported from a file and through an explicit provider, and an id of another account is refused", async () => {
  await using other = await startTemporaryEmulator({ profile: "extended" });
  await using deployment = await createNativeDeployment({ program: program(other.url, other.rootToken) });
  const { workspace, service } = deployment;
  await workspace.up();
  const provider = (await deployment.resource("event-datasets", "other")).urn;
  const [a, b] = [
    await makeByHand(service, { name: "a", ...rights }),
    await makeByHand(service, { name: "b", ...rights }),
  ];
  const [c, d] = [await makeByHand(other, { name: "c", ...rights }), await makeByHand(other, { name: "d", ...rights })];

  const file = {
    nameTable: { other: provider },
    resources: [
      { type, name: "a", id: a.id },
      { type, name: "b", id: b.id },
      { type, name: "c", id: c.id, provider: "other" },
    ],
  };
  await workspace.writeFile("import.json", JSON.stringify(file));
  const { stdout } = await workspace.run(["import", "-f", "import.json", "--yes", "--skip-preview"]);
  for (const { id } of [a, b, c])
    expect(stdout).toContain(`${id}: its secret cannot be read again, so token is empty. If the stack has`);
  const throughProvider = ["import", type, "d", d.id, "--provider", `other=${provider}`, "--yes", "--skip-preview"];
  await workspace.run(throughProvider);
  for (const name of ["a", "b", "c", "d"]) {
    const { outputs } = await deployment.resource("ApiToken", name);
    expect(outputs).toMatchObject({ name, ...rights });
  }

  const wrong = await workspace.run(["import", type, "wrong", d.id, "--yes", "--skip-preview"], {
    expectFailure: true,
  });
  expect(wrong.stdout).toContain(
    `${d.id}: there is no ApiToken with this id. It was deleted, or it belongs to an account other`,
  );
  expect([...deployment.writes(), ...other.calls.filter(({ method }) => method !== "GET")]).toHaveLength(4);
});

test("a token is imported by command and by option, and inputs that differ never mint one", async () => {
  await using deployment = await createNativeDeployment({ program: yamlProgram(yamlToken("ci", rights)) });
  const { workspace, service } = deployment;
  const theirs = await makeByHand(service, { name: "theirs", ...rights });
  // The preview shows arguments and outputs only.
  const internal = /^\W*(key|record|secretRecord|secretInputs|chosenName|__provider)\s*:/m;
  const preview = await workspace.run(["import", type, "theirs", theirs.id, "--preview-only", "--diff"]);
  expect(preview.stdout).toMatch(/name\s*: "theirs"/);
  expect(preview.stdout).not.toMatch(internal);
  const { stdout } = await workspace.run(["import", type, "theirs", theirs.id, "--yes", "--skip-preview"]);
  expect(stdout).toContain(`${theirs.id}: its secret cannot be read again, so token is empty. If the stack has`);
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
      `${others.id} is not imported: it differs from its declaration in orgCapabilities`,
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

test("a dataset is imported as it is, and stays with its events when the stack is destroyed", async () => {
  const yaml = (more = "") => ({
    "Pulumi.yaml": `name: web
runtime: yaml
resources:
  web:
    type: event-datasets:Dataset
    properties: { name: web, description: Requests, retentionDays: 30, kind: axiom:events:v1, edgeDeployment: cloud.us-east-1.aws }
${more}`,
  });
  await using deployment = await createNativeDeployment({ program: yaml() });
  const { workspace, service } = deployment;
  await service.ingest("web", [{ n: 1 }]);
  await service.datasets.change("web", { description: "Requests", retentionDays: 30, useRetentionPeriod: true });
  await workspace.run(["import", "event-datasets:index:Dataset", "web", "web", "--yes", "--skip-preview"]);
  const { outputs, inputs } = await deployment.resource("Dataset", "web");
  expect(outputs).toMatchObject({ name: "web", retentionDays: 30, createdAt: service.datasets.list()[0]?.created });
  expect(inputs).toMatchObject({ name: "web", description: "Requests", retentionDays: 30 });
  await workspace.up({ args: ["--expect-no-changes"] });
  const resources = (await workspace.export()).deployment.resources ?? [];
  for (const { urn } of resources.filter(({ protect }) => protect === true))
    await workspace.run(["state", "unprotect", urn, "--yes"]);
  expect((await workspace.destroy()).stdout).toContain(
    "dataset web is no longer managed here, but it stays with its events",
  );
  expect(deployment.writes().filter((call) => call.includes("/v2/datasets"))).toEqual([]);
});
