import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Emulator } from "../../../emulator";
import { createDeployment, type Deployment, startTemporaryEmulator } from "../../support/deployment";
import { useWarmHosts } from "../../support/warmHosts";

useWarmHosts();

const expiresAt = "2099-01-01T00:00:00Z";
const canary = "canary-name-7f3b2a9c41";

const program = `import * as pulumi from "@pulumi/pulumi";
import { Annotation, ApiToken, Provider } from "pulumi-event-datasets";
const config = new pulumi.Config();
const expiresAt = "${expiresAt}";
pulumi.runtime.registerStackTransformation(({ type, name, props, opts }) =>
  type === "pulumi-nodejs:event-datasets:ApiToken" && name === "transformed"
    ? { props: { ...props, expiresAt }, opts: pulumi.mergeOptions(opts, { protect: true }) }
    : undefined);

const provider = new Provider("other", { baseUrl: config.require("url"), accessToken: config.requireSecret("token") });
class Team extends pulumi.ComponentResource {
  readonly tokenId: pulumi.Output<string>;
  constructor(name: string, options: pulumi.ComponentResourceOptions = {}) {
    super("test:index:Team", name, {}, options);
    const token = new ApiToken(name, { name, expiresAt }, { parent: this });
    new Annotation(name, { datasets: ["web"], title: name }, { parent: token });
    this.tokenId = token.id;
    this.registerOutputs();
  }
}
export const teams = {
  here: new Team("here").tokenId,
  listed: new Team("listed", { providers: [provider] }).tokenId,
  keyed: new Team("keyed", { providers: { "pulumi-nodejs": provider } }).tokenId,
};

const args = { name: pulumi.secret("${canary}"), expiresAt };
const hidden = new ApiToken("hidden", args, { additionalSecretOutputs: ["createdAt"] });
export const { token, name, createdAt } = hidden;

const describe: pulumi.ResourceTransform = ({ props, opts }) => ({ props: { ...props, description: "transformed" }, opts });
new ApiToken("transformed", { orgCapabilities: { apiTokens: ["read"] } }, { transforms: [describe] });
`;

// All in one stack: each command of the engine takes seconds.
let other: Emulator;
let deployment: Deployment;
let afterUp: Record<string, unknown>;

beforeAll(async () => {
  other = await startTemporaryEmulator();
  deployment = await createDeployment({ program: { "index.ts": program } });
  const { workspace } = deployment;
  await workspace.setConfig("url", other.url);
  await workspace.setConfig("token", other.rootToken, { secret: true });
  await workspace.preview();
  await workspace.up();
  afterUp = await workspace.outputs();
});

afterAll(async () => {
  await deployment?.[Symbol.asyncDispose]();
  await other?.[Symbol.asyncDispose]();
});

test("a second update and a refresh change nothing, whichever options a resource inherited", async () => {
  await deployment.workspace.up({ args: ["--expect-no-changes"] });
  await deployment.workspace.refresh({ args: ["--expect-no-changes"] });
});

test.each(["listed", "keyed"])(
  "parent: the children of a component with %s providers work on that account",
  async (team) => {
    const { teams } = (await deployment.workspace.outputs()) as { teams: Record<string, string> };
    const idIn = ({ tokens }: Emulator, name: string) => tokens.list().find((token) => token.name === name)?.id;
    expect(teams[team]).toBe(idIn(other, team));
    expect(teams.here).toBe(idIn(deployment.service, "here"));
    expect(idIn(deployment.service, team)).toBeUndefined();
    expect(other.tokens.list()).toHaveLength(2);
    expect(deployment.service.annotations.list()).toEqual([expect.objectContaining({ title: "here" })]);
    expect(
      other.annotations
        .list()
        .map(({ title }) => title)
        .sort(),
    ).toEqual(["keyed", "listed"]);
    expect((await deployment.resource("ApiToken", team)).parent).toMatch(new RegExp(`::test:index:Team::${team}$`));
  },
);

test("additionalSecretOutputs: further outputs are secret beside the token, in the state and after a refresh", async () => {
  const secretOnes = { token: "[secret]", name: "[secret]", createdAt: "[secret]" };
  expect(afterUp).toMatchObject(secretOnes);
  expect(await deployment.workspace.outputs()).toEqual({ ...secretOnes, teams: afterUp.teams });
  const { outputs } = await deployment.resource("ApiToken", "hidden");
  for (const key of ["token", "name", "createdAt"]) {
    expect(outputs?.[key]).toEqual(expect.objectContaining({ ciphertext: expect.any(String) }));
  }
  expect(deployment.service.tokens.list()).toContainEqual(expect.objectContaining({ name: canary }));
});

test("transforms: one of the resource, and a transformation of the stack, change arguments and options", async () => {
  const { id, protect } = await deployment.resource("ApiToken", "transformed");
  const live = deployment.service.tokens.list().find((token) => token.id === id);
  expect(live).toMatchObject({ description: "transformed", expiresAt });
  expect(protect).toBe(true);
});
