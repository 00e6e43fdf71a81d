import { expect, test } from "@jest/globals";
import { createDeployment, startTemporaryEmulator } from "../../support/deployment";

const imports = `import * as pulumi from "@pulumi/pulumi";
import { ApiToken, getTokenOutput, getTokensOutput, Provider } from "pulumi-event-datasets";
`;

test("a lookup that takes the name of a token which is only planned waits for the token", async () => {
  await using deployment = await createDeployment({
    program: {
      "index.ts": `${imports}
const ci = new ApiToken("ci", { name: "fixed", expiresAt: "2099-01-01T00:00:00Z" });
export const { id, token } = ci;
export const found = getTokenOutput({ name: ci.name }).id;
`,
    },
  });
  const { workspace } = deployment;
  await workspace.preview();
  await workspace.up();
  const { id } = await workspace.outputs();
  // Again, because from now on the stack has a secret output, which must not make a lookup's result secret.
  await workspace.up({ args: ["--expect-no-changes"] });
  expect(await workspace.outputs()).toEqual({ id, found: id, token: "[secret]" });
});

test("a lookup that depends on a component waits for all its children, late and nested ones too", async () => {
  await using deployment = await createDeployment({
    program: {
      "index.ts": `${imports}
const expiresAt = "2099-01-01T00:00:00Z";
class Inner extends pulumi.ComponentResource {
  constructor(options: pulumi.ComponentResourceOptions) {
    super("test:index:Inner", "inner", {}, options);
    const first = new ApiToken("first", { name: "first", expiresAt }, { parent: this });
    // It starts only when the first is there, long after the component itself.
    new ApiToken("second", { name: "second", description: first.id, expiresAt }, { parent: this });
  }
}
class Outer extends pulumi.ComponentResource {
  constructor() {
    super("test:index:Outer", "outer");
    this.registerOutputs();
  }
  protected override async initialize() {
    await new Promise((resolve) => setTimeout(resolve, 500));
    new Inner({ parent: this });
  }
}
const outer = new Outer();
const names = (dependsOn: pulumi.InvokeOutputOptions["dependsOn"]) =>
  getTokensOutput({}, { dependsOn }).tokens.apply((tokens) => tokens.map(({ name }) => name));
export const direct = names(outer);
export const inList = names([outer]);
export const asOutput = names(pulumi.output([outer]));
export const second = getTokenOutput({ name: "second" }, { dependsOn: outer }).name;
`,
    },
  });
  const { workspace } = deployment;
  await workspace.preview();
  await workspace.up();
  const names = ["first", "second"];
  expect(await workspace.outputs()).toEqual({ direct: names, inList: names, asOutput: names, second: "second" });
});

test("a lookup uses the explicit provider of its options, and that of its parent's component", async () => {
  await using other = await startTemporaryEmulator();
  await using deployment = await createDeployment({
    program: {
      "index.ts": `${imports}
const config = new pulumi.Config();
const provider = new Provider("other", { baseUrl: config.require("url"), accessToken: config.requireSecret("token") });
const expiresAt = "2099-01-01T00:00:00Z";
class Team extends pulumi.ComponentResource {
  readonly names: pulumi.Output<string[]>;
  readonly id: pulumi.Output<string>;
  constructor(options: pulumi.ComponentResourceOptions) {
    super("test:index:Team", "team", {}, options);
    const there = new ApiToken("there", { name: "there", expiresAt }, { parent: this });
    const { tokens } = getTokensOutput({}, { parent: this, dependsOn: there });
    this.names = tokens.apply((live) => live.map(({ name }) => name));
    this.id = getTokenOutput({ id: there.id }, { parent: this }).id;
  }
}
const here = new ApiToken("here", { name: "here", expiresAt });
const team = new Team({ providers: [provider] });
const names = (options: pulumi.InvokeOutputOptions) =>
  getTokensOutput({}, options).tokens.apply((tokens) => tokens.map(({ name }) => name));
export const own = names({ dependsOn: [here, team] });
export const byOption = names({ provider, dependsOn: [here, team] });
export const byParent = team.names;
export const idByParent = team.id;
`,
    },
  });
  const { workspace, service } = deployment;
  await workspace.setConfig("url", other.url);
  await workspace.setConfig("token", other.rootToken, { secret: true });
  await workspace.preview();
  await workspace.up();
  // In plain text, although each credential is a secret: what is looked up with one is not.
  expect(await workspace.outputs()).toEqual({
    own: ["here"],
    byOption: ["there"],
    byParent: ["there"],
    idByParent: other.tokens.list()[0]?.id,
  });
  expect([...service.calls, ...other.calls].filter(({ status }) => status === 401)).toEqual([]);
  for (const { rootToken } of [service, other]) expect(await deployment.traces(rootToken)).toEqual([]);
});
