import { expect, test } from "@jest/globals";
import { createDeployment, startTemporaryEmulator } from "../../support/deployment";

const expiresAt = "2099-01-01T00:00:00Z";

test.each(["[provider]", `{ "pulumi-nodejs": provider }`])(
  "parent: the children of a component with providers: %s work on that account",
  async (providers) => {
    await using other = await startTemporaryEmulator();
    await using deployment = await createDeployment({
      program: {
        "index.ts": `import * as pulumi from "@pulumi/pulumi";
import { Annotation, ApiToken, Provider } from "pulumi-event-datasets";
const config = new pulumi.Config();
const provider = new Provider("other", { baseUrl: config.require("url"), accessToken: config.requireSecret("token") });
class Team extends pulumi.ComponentResource {
  readonly tokenId: pulumi.Output<string>;
  constructor(name: string, options: pulumi.ComponentResourceOptions = {}) {
    super("test:index:Team", name, {}, options);
    const token = new ApiToken(name, { expiresAt: "${expiresAt}" }, { parent: this });
    new Annotation(name, { datasets: ["web"], title: name }, { parent: token });
    this.tokenId = token.id;
    this.registerOutputs();
  }
}
export const here = new Team("here").tokenId;
export const there = new Team("there", { providers: ${providers} }).tokenId;
`,
      },
    });
    const { workspace, service } = deployment;
    await workspace.setConfig("url", other.url);
    await workspace.setConfig("token", other.rootToken, { secret: true });
    await workspace.up();
    await workspace.up({ args: ["--expect-no-changes"] });
    await workspace.refresh({ args: ["--expect-no-changes"] });
    expect(await workspace.outputs()).toEqual({
      here: service.tokens.list()[0]?.id,
      there: other.tokens.list()[0]?.id,
    });
    expect(service.annotations.list()).toEqual([expect.objectContaining({ title: "here" })]);
    expect(other.annotations.list()).toEqual([expect.objectContaining({ title: "there" })]);
    expect((await deployment.resource("ApiToken", "there")).parent).toMatch(/::test:index:Team::there$/);
    await workspace.destroy();
  },
);

test("additionalSecretOutputs: further outputs are secret beside the token, in the state and after a refresh", async () => {
  const canary = "canary-name-7f3b2a9c41";
  await using deployment = await createDeployment({
    program: {
      "index.ts": `import * as pulumi from "@pulumi/pulumi";
import { ApiToken } from "pulumi-event-datasets";
const args = { name: pulumi.secret("${canary}"), expiresAt: "${expiresAt}" };
export const { token, name, createdAt, id } = new ApiToken("ci", args, { additionalSecretOutputs: ["createdAt"] });
`,
    },
  });
  const { workspace, service } = deployment;
  const secretOnes = { token: "[secret]", name: "[secret]", createdAt: "[secret]" };
  await workspace.up();
  const { id } = await workspace.outputs();
  expect(await workspace.outputs()).toEqual({ ...secretOnes, id });
  await workspace.refresh({ args: ["--expect-no-changes"] });
  expect(await workspace.outputs()).toEqual({ ...secretOnes, id });
  const { outputs } = await deployment.resource("ApiToken", "ci");
  for (const key of ["token", "name", "createdAt"]) {
    expect(outputs?.[key]).toEqual(expect.objectContaining({ ciphertext: expect.any(String) }));
  }
  expect(service.tokens.list()).toEqual([expect.objectContaining({ name: canary })]);
});

test("transforms: one of the resource, and a transformation of the stack, change arguments and options", async () => {
  await using deployment = await createDeployment({
    program: {
      "index.ts": `import * as pulumi from "@pulumi/pulumi";
import { ApiToken } from "pulumi-event-datasets";
pulumi.runtime.registerStackTransformation(({ type, props, opts }) =>
  type === "pulumi-nodejs:event-datasets:ApiToken"
    ? { props: { ...props, expiresAt: "${expiresAt}" }, opts: pulumi.mergeOptions(opts, { protect: true }) }
    : undefined);
const describe: pulumi.ResourceTransform = ({ props, opts }) => ({ props: { ...props, description: "transformed" }, opts });
export const { id } = new ApiToken("ci", { orgCapabilities: { apiTokens: ["read"] } }, { transforms: [describe] });
`,
    },
  });
  const { workspace, service } = deployment;
  await workspace.preview();
  await workspace.up();
  await workspace.up({ args: ["--expect-no-changes"] });
  expect(service.tokens.list()).toEqual([expect.objectContaining({ description: "transformed", expiresAt })]);
  expect(await deployment.resource("ApiToken", "ci")).toMatchObject({ protect: true });
});
