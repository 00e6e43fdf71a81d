import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createDeployment, type Deployment } from "../../support/deployment";
import { useWarmHosts } from "../../support/warmHosts";

useWarmHosts();

const [first, second] = ["canary-first-8c1f02d7be", "canary-second-5e90aa316d"];

const program = (description: string, more = "", uses = "") => `import * as pulumi from "@pulumi/pulumi";
import { Annotation, ApiToken } from "pulumi-event-datasets";
const config = new pulumi.Config();
const expiresAt = "2099-01-01T00:00:00Z";
const args = { description: config.requireSecret("${description}"), expiresAt${more} };
export const { id, description, fingerprint } = new ApiToken("ci", args);
const marked = { datasets: [config.requireSecret("first")], title: config.requireSecret("second") };
export const { datasets, title } = new Annotation("deployed", marked);
${uses}
`;

// One stack: each test goes on where the one before it ended, since the engine takes seconds for each command.
let deployment: Deployment;

beforeAll(async () => {
  deployment = await createDeployment({ program: { "index.ts": program("first") } });
  const { workspace } = deployment;
  await workspace.setConfig("first", first, { secret: true });
  await workspace.setConfig("second", second, { secret: true });
  await workspace.up();
});
afterAll(async () => deployment?.[Symbol.asyncDispose]());

const expectHidden = async () => {
  expect((await deployment.workspace.outputs()).description).toBe("[secret]");
  const { inputs, outputs } = await deployment.resource("ApiToken", "ci");
  const encrypted = expect.objectContaining({ ciphertext: expect.any(String) });
  expect([inputs?.description, outputs?.description]).toEqual([encrypted, encrypted]);
  expect(await deployment.traces(first, second)).toEqual([]);
};

test("the secret arguments of an annotation stay secrets, the list of its datasets included", async () => {
  const { workspace, service } = deployment;
  await workspace.up({ args: ["--expect-no-changes"] });
  await workspace.refresh({ args: ["--expect-no-changes"] });
  expect(await workspace.outputs()).toMatchObject({ datasets: "[secret]", title: "[secret]" });
  expect(service.annotations.list()).toEqual([expect.objectContaining({ datasets: [first], title: second })]);
  expect(await deployment.traces(first, second)).toEqual([]);
});

test("a secret description stays a secret in outputs and state: created, refreshed, drifted, updated and replaced", async () => {
  const { workspace, service } = deployment;
  await expectHidden(); // after the update and the refresh above

  const [{ id = "" } = {}] = service.tokens.list();
  await service.tokens.change(id, { description: second });
  await workspace.refresh({ args: ["--diff"] });
  await expectHidden();
  await service.tokens.change(id, { description: first });
  await workspace.refresh();

  // In place: what becomes of the token at its end is no matter of the service.
  await workspace.writeFile("index.ts", program("first", `, retire: "expire" as const`));
  expect((await workspace.up()).stdout).toMatch(/~ 1 updated/);
  await expectHidden();

  await workspace.writeFile("index.ts", program("second", `, retire: "expire" as const`));
  await workspace.preview({ args: ["--diff"] });
  await workspace.up();
  await expectHidden();
  expect((await workspace.outputs()).fingerprint).toMatch(/^[0-9a-f]{12}$/);
  expect(service.tokens.list().map(({ description }) => description)).toEqual([first, second]);
});

test("a secret description stays secret in the state of a token whose create got no response", async () => {
  const { workspace, service } = deployment;
  const uses = `new ApiToken("lost", { description: config.requireSecret("first"), expiresAt });`;
  await workspace.writeFile("index.ts", program("second", `, retire: "expire" as const`, uses));
  service.inject({ method: "POST", path: "/v2/tokens", action: { kind: "close-before-response" } });
  await workspace.up({ expectFailure: true });
  expect((await deployment.resource("ApiToken", "lost")).outputs).toMatchObject({ record: { lost: true } });
  expect(await deployment.traces(first, second)).toEqual([]);
});
