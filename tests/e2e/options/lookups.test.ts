import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Emulator } from "../../../emulator";
import { createDeployment, type Deployment, startTemporaryEmulator } from "../../support/deployment";
import { useWarmHosts } from "../../support/warmHosts";

useWarmHosts();

const program = `import * as pulumi from "@pulumi/pulumi";
import { ApiToken, getTokenOutput, getTokensOutput, Provider } from "pulumi-event-datasets";
const config = new pulumi.Config();
const expiresAt = "2099-01-01T00:00:00Z";
const provider = new Provider("other", { baseUrl: config.require("url"), accessToken: config.requireSecret("token") });
const names = (options: pulumi.InvokeOutputOptions) =>
  getTokensOutput({}, options).tokens.apply((tokens) => tokens.map(({ name }) => name).sort());

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
class Team extends pulumi.ComponentResource {
  readonly names: pulumi.Output<string[]>;
  readonly id: pulumi.Output<string>;
  constructor(options: pulumi.ComponentResourceOptions) {
    super("test:index:Team", "team", {}, options);
    const there = new ApiToken("there", { name: "there", expiresAt }, { parent: this });
    this.names = names({ parent: this, dependsOn: there });
    this.id = getTokenOutput({ id: there.id }, { parent: this }).id;
  }
}

const ci = new ApiToken("ci", { name: "fixed", expiresAt });
export const { id, token } = ci;
export const found = getTokenOutput({ name: ci.name }).id;

const outer = new Outer();
export const component = {
  direct: names({ dependsOn: outer }),
  inList: names({ dependsOn: [outer] }),
  asOutput: names({ dependsOn: pulumi.output([outer]) }),
  second: getTokenOutput({ name: "second" }, { dependsOn: outer }).name,
};

const team = new Team({ providers: [provider] });
export const accounts = {
  own: names({ dependsOn: [ci, outer, team] }),
  byOption: names({ provider, dependsOn: [ci, team] }),
  byParent: team.names,
  idByParent: team.id,
};

const count = (name: pulumi.Input<string>, options: pulumi.InvokeOutputOptions) =>
  getTokensOutput({ name }, options).tokens.apply((tokens) => tokens.length);
const counted = new ApiToken("counted", { name: "counted", expiresAt }, { provider });
export const open = count(counted.name, { provider });
export const hidden = count(pulumi.secret("counted"), { provider, dependsOn: counted });
`;

// One stack, made in the first test and then looked at: each command of the engine takes seconds.
let other: Emulator;
let deployment: Deployment;
let outputs: Record<string, unknown> = {};

beforeAll(async () => {
  other = await startTemporaryEmulator();
  deployment = await createDeployment({ program: { "index.ts": program } });
  const { workspace } = deployment;
  await workspace.setConfig("url", other.url);
  await workspace.setConfig("token", other.rootToken, { secret: true });
});

afterAll(async () => {
  await deployment?.[Symbol.asyncDispose]();
  await other?.[Symbol.asyncDispose]();
});

test("a lookup by the name of a token that does not exist yet waits for the token", async () => {
  const { workspace } = deployment;
  await workspace.preview();
  await workspace.up();
  outputs = await workspace.outputs();
  expect(outputs).toMatchObject({ found: outputs.id, token: "[secret]" });
});

test("a lookup that depends on a component waits for all its children, late and nested ones too", () => {
  const both = expect.arrayContaining(["first", "second"]);
  expect(outputs.component).toEqual({ direct: both, inList: both, asOutput: both, second: "second" });
});

test("a lookup uses the explicit provider of its options, and that of its parent's component", async () => {
  const { service } = deployment;
  // In plain text, although each credential is a secret: what is looked up with one is not.
  expect(outputs.accounts).toEqual({
    own: ["first", "fixed", "second"],
    byOption: expect.arrayContaining(["there"]),
    byParent: expect.arrayContaining(["there"]),
    idByParent: other.tokens.list().find(({ name }) => name === "there")?.id,
  });
  const { byOption, byParent } = outputs.accounts as Record<string, string[]>;
  expect([...(byOption ?? []), ...(byParent ?? [])].filter((name) => !["there", "counted"].includes(name))).toEqual([]);
  expect([...service.calls, ...other.calls].filter(({ status }) => status === 401)).toEqual([]);
  expect(await deployment.traces(service.rootToken, other.rootToken)).toEqual([]);
});

test("a data function's result is secret only if an argument is", () => {
  expect(outputs).toMatchObject({ open: 1, hidden: "[secret]" });
});

test("a secret among the stack's outputs does not make the results of lookups secret in the next update", async () => {
  await deployment.workspace.up({ args: ["--expect-no-changes"] });
  const again = await deployment.workspace.outputs();
  expect(again).toMatchObject({ id: outputs.id, found: outputs.id, token: "[secret]", hidden: "[secret]", open: 1 });
});
