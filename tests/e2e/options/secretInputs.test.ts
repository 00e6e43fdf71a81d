import { expect, test } from "@jest/globals";
import { createDeployment } from "../../support/deployment";

const [first, second] = ["canary-first-8c1f02d7be", "canary-second-5e90aa316d"];

const token = (description: string, more = "") => `import * as pulumi from "@pulumi/pulumi";
import { ApiToken } from "pulumi-event-datasets";
const args = { description: new pulumi.Config().requireSecret("${description}"), expiresAt: "2099-01-01T00:00:00Z"${more} };
export const { id, description, fingerprint } = new ApiToken("ci", args);
`;

test("a secret description stays a secret in outputs and state: created, refreshed, drifted, updated and replaced", async () => {
  await using deployment = await createDeployment({ program: { "index.ts": token("first") } });
  const { workspace, service } = deployment;
  await workspace.setConfig("first", first, { secret: true });
  await workspace.setConfig("second", second, { secret: true });
  const hidden = async () => {
    expect((await workspace.outputs()).description).toBe("[secret]");
    const { inputs, outputs } = await deployment.resource("ApiToken", "ci");
    const encrypted = expect.objectContaining({ ciphertext: expect.any(String) });
    expect([inputs?.description, outputs?.description]).toEqual([encrypted, encrypted]);
    expect([...(await deployment.traces(first)), ...(await deployment.traces(second))]).toEqual([]);
  };
  await workspace.up();
  await hidden();
  await workspace.up({ args: ["--expect-no-changes"] });
  await workspace.refresh({ args: ["--expect-no-changes"] });
  await hidden();

  const [{ id = "" } = {}] = service.tokens.list();
  await service.tokens.change(id, { description: second });
  await workspace.refresh({ args: ["--diff"] });
  await hidden();
  await service.tokens.change(id, { description: first });
  await workspace.refresh();

  // In place: what becomes of the token at its end is no matter of the service.
  await workspace.writeFile("index.ts", token("first", `, retire: "expire" as const`));
  expect((await workspace.up()).stdout).toMatch(/~ 1 updated/);
  await hidden();

  await workspace.writeFile("index.ts", token("second", `, retire: "expire" as const`));
  await workspace.preview({ args: ["--diff"] });
  await workspace.up();
  await hidden();
  expect((await workspace.outputs()).fingerprint).toMatch(/^[0-9a-f]{12}$/);
  expect(service.tokens.list().map(({ description }) => description)).toEqual([first, second]);
});

test("a secret description stays a secret in the state of a token whose creation was not answered", async () => {
  await using deployment = await createDeployment({ program: { "index.ts": token("first") } });
  const { workspace, service } = deployment;
  await workspace.setConfig("first", first, { secret: true });
  service.inject({ method: "POST", path: "/v2/tokens", action: { kind: "close-before-answer" } });
  await workspace.up({ expectFailure: true });
  expect((await deployment.resource("ApiToken", "ci")).outputs).toMatchObject({ lost: true });
  expect(await deployment.traces(first)).toEqual([]);
});

test("the secret arguments of an annotation stay secrets, the list of its datasets included", async () => {
  await using deployment = await createDeployment({
    program: {
      "index.ts": `import * as pulumi from "@pulumi/pulumi";
import { Annotation } from "pulumi-event-datasets";
const config = new pulumi.Config();
const args = { datasets: [config.requireSecret("first")], title: config.requireSecret("second") };
export const { id, datasets, title } = new Annotation("deployed", args);
`,
    },
  });
  const { workspace, service } = deployment;
  await workspace.setConfig("first", first, { secret: true });
  await workspace.setConfig("second", second, { secret: true });
  await workspace.up();
  await workspace.up({ args: ["--expect-no-changes"] });
  await workspace.refresh({ args: ["--expect-no-changes"] });
  expect(await workspace.outputs()).toMatchObject({ datasets: "[secret]", title: "[secret]" });
  expect(service.annotations.list()).toEqual([expect.objectContaining({ datasets: [first], title: second })]);
  expect([...(await deployment.traces(first)), ...(await deployment.traces(second))]).toEqual([]);
});
