import { beforeAll, expect, test } from "@jest/globals";
import type { Emulator } from "../../../emulator";
import { createDeployment, startTemporaryEmulator } from "../../support/deployment";
import { openForTests } from "../../support/suite";

// Providers and lookups of components: one stack, made once and then looked at.

const program = `import * as pulumi from "@pulumi/pulumi";
import { Annotation, ApiToken, DeploymentAnnotation, getTokenOutput, getTokensOutput, Provider } from "pulumi-event-datasets";
const config = new pulumi.Config();
const expiresAt = "2099-01-01T00:00:00Z";
const provider = new Provider("other", { baseUrl: config.require("url"), accessToken: config.requireSecret("token") });
const names = (options: pulumi.InvokeOutputOptions) =>
  getTokensOutput({}, options).tokens.apply((tokens) => tokens.map(({ name }) => name).sort());

class Team extends pulumi.ComponentResource {
  readonly names: pulumi.Output<string[]>;
  readonly id: pulumi.Output<string>;
  constructor(name: string, options: pulumi.ComponentResourceOptions = {}) {
    super("test:index:Team", name, {}, options);
    const token = new ApiToken(name, { name, expiresAt }, { parent: this });
    new Annotation(name, { datasets: ["web"], title: name }, { parent: token });
    this.names = names({ parent: this, dependsOn: token });
    this.id = getTokenOutput({ id: token.id }, { parent: this }).id;
    this.registerOutputs();
  }
}
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
const here = new Team("here");
const listed = new Team("listed", { providers: [provider] });
const keyed = new Team("keyed", { providers: { "pulumi-nodejs": provider } });
export const teams = { here: here.id, listed: listed.id, keyed: keyed.id };
new DeploymentAnnotation("marker", { datasets: ["web"], title: "marker" }, { provider });

const outer = new Outer();
export const component = {
  direct: names({ dependsOn: outer }),
  inList: names({ dependsOn: [outer] }),
  asOutput: names({ dependsOn: pulumi.output([outer]) }),
  second: getTokenOutput({ name: "second" }, { dependsOn: outer }).name,
};
export const accounts = {
  byOption: names({ provider, dependsOn: [listed, keyed] }),
  byParent: listed.names,
};

// A credential that this very program mints: the lookup waits for it, and a preview does not know it.
const spec = { name: "reader", expiresAt, orgCapabilities: { apiTokens: ["read" as const] } };
const { token: accessToken } = new ApiToken("reader", spec);
const minted = new Provider("minted", { baseUrl: process.env.EVENT_DATASETS_BASE_URL ?? "", accessToken });
export const late = names({ provider: minted });

const ci = new ApiToken("ci", { name: "fixed", expiresAt });
export const { id, token } = ci;
export const found = getTokenOutput({ name: ci.name }).id;
const count = (name: pulumi.Input<string>) => getTokensOutput({ name }, { dependsOn: ci }).tokens.apply((tokens) => tokens.length);
export const [open, hidden] = [count("fixed"), count(pulumi.secret("fixed"))];
`;

const other = openForTests(startTemporaryEmulator);
const deployment = openForTests(() => createDeployment({ program: { "index.ts": program } }));
let outputs: Record<string, unknown> = {};

beforeAll(async () => {
  const { workspace } = deployment;
  await workspace.setConfig("url", other.url);
  await workspace.setConfig("token", other.rootToken, { secret: true });
  await workspace.preview();
  await workspace.up();
  outputs = await workspace.outputs();
});

test.each(["listed", "keyed"])(
  "the children of a component with %s providers work on that account, and so does a marker with a provider",
  async (team) => {
    const { teams } = outputs as { teams: Record<string, string> };
    const idIn = ({ tokens }: Emulator, name: string) => tokens.list().find((token) => token.name === name)?.id;
    expect(teams[team]).toBe(idIn(other, team));
    expect(teams.here).toBe(idIn(deployment.service, "here"));
    expect(idIn(deployment.service, team)).toBeUndefined();
    const titles = ({ annotations }: Emulator) => annotations.list().map(({ title }) => title);
    expect([titles(deployment.service), titles(other).sort()]).toEqual([["here"], ["keyed", "listed", "marker"]]);
    expect((await deployment.resource("ApiToken", team)).parent).toMatch(new RegExp(`::test:index:Team::${team}$`));
  },
);

test("a lookup that depends on a component waits for all its children, late and nested ones too", () => {
  const both = expect.arrayContaining(["first", "second"]);
  expect(outputs.component).toEqual({ direct: both, inList: both, asOutput: both, second: "second" });
});

test("a lookup uses the explicit provider of its options, and that of its parent's component", async () => {
  const { service } = deployment;
  // In plain text, although each credential is a secret: what is looked up with one is not.
  const { byOption, byParent } = outputs.accounts as Record<string, string[]>;
  expect(byOption).toEqual(["keyed", "listed"]);
  expect(byParent).toContain("listed");
  expect(byParent).not.toContain("here");
  expect(outputs.late).toContain("reader");
  expect([...service.calls, ...other.calls].filter(({ status }) => status === 401)).toEqual([]);
  expect(await deployment.traces(service.rootToken, other.rootToken)).toEqual([]);
});

test("a lookup waits for its token, its result is secret only if an argument is, and nothing changes afterwards", async () => {
  const looked = { id: outputs.id, found: outputs.id, token: "[secret]", open: 1, hidden: "[secret]" };
  expect(outputs).toMatchObject(looked);
  await deployment.workspace.up({ args: ["--refresh", "--expect-no-changes"] });
  expect(await deployment.workspace.outputs()).toMatchObject(looked);
});
