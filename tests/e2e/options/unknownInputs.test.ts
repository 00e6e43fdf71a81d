import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createDeployment, type Deployment } from "../../support/deployment";

/** `source` is replaced when `description` changes; then its id is unknown at preview. */
const program = (description: string) => `import * as pulumi from "@pulumi/pulumi";
import { Annotation, ApiToken, Provider } from "pulumi-event-datasets";
const expiresAt = "2099-01-01T00:00:00Z";
const source = new ApiToken("source", { expiresAt, description: "${description}" });
const later = <T>(value: T) => source.id.apply(() => value);
${sameEachTime}
${follower}
${credential}
`;

/** Arguments that are unknown in a preview and have the same value in every update. */
const sameEachTime = `
new ApiToken("leaf", { expiresAt, name: later("leaf"), description: later("text"), orgCapabilities: { apiTokens: [later("read")] } });
new ApiToken("whole", { expiresAt: later(expiresAt), orgCapabilities: later({ apiTokens: ["read"] }), datasetCapabilities: later({ web: { query: ["read"] } }), retire: later("expire" as const) });
new ApiToken("counted", { expiresIn: later("36500d") });
new ApiToken("parts", { expiresIn: later("36500d"), rotation: { rotateBefore: later("1d"), triggers: { by: later("hand") } } });
new ApiToken("rotated", { expiresIn: "36500d", rotation: later({ rotateBefore: "1d" }), retire: "expire" });
new Annotation("marked", { datasets: [later("web")], title: later("title"), time: later("2030-01-01T00:00:00Z"), endTime: later("2030-01-02T00:00:00Z") });
`;

const follower = `
const following = new ApiToken("follower", { expiresAt, name: pulumi.interpolate\`of-\${source.id}\` });
export const [sourceId, followerName] = [source.id, following.name];
`;

const credential = `
const minter = new ApiToken("minter", { expiresAt, description: source.description, orgCapabilities: { apiTokens: ["create", "read"] } });
const provider = new Provider("own", { baseUrl: new pulumi.Config().require("url"), accessToken: minter.token });
export const mintedId = new ApiToken("minted", { expiresAt }, { provider }).id;
`;

const notAnError = /error|problem|Symbol|04da6b54/i;

/** The resources of which a command says this. */
const allThat = (stdout: string, done: "replace" | "replaced" | "updated") =>
  [...stdout.matchAll(new RegExp(`:[\\w-]+ (\\w+) ${done} `, "g"))].map(([, name]) => name).sort();

// One stack: made in the first test, and changed before the others.
let deployment: Deployment;
let made: Record<string, unknown>;
let preview = "";
let update = "";

beforeAll(async () => {
  deployment = await createDeployment({ program: { "index.ts": program("one") } });
  await deployment.workspace.setConfig("url", deployment.service.url);
});
afterAll(async () => deployment?.[Symbol.asyncDispose]());

test("unknown arguments pass the preview of a create, without a false error or warning", async () => {
  const { workspace, service } = deployment;
  const { stdout } = await workspace.preview();
  expect(stdout).toContain("+ 12 to create");
  expect(stdout).not.toMatch(notAnError);
  expect(stdout).not.toContain("no expiry");
  await workspace.up();
  expect(service.tokens.list()).toHaveLength(9);
  made = await workspace.outputs();
  expect(made.followerName).toBe(`of-${made.sourceId}`);

  await workspace.writeFile("index.ts", program("two"));
  preview = (await workspace.preview()).stdout;
  update = (await workspace.up()).stdout;
});

test("arguments that are unknown in a preview are shown as replacing, and replace nothing if they turn out unchanged", () => {
  const { service } = deployment;
  expect(preview).not.toMatch(notAnError);
  const unknown = ["counted", "follower", "leaf", "marked", "parts", "rotated", "whole"];
  expect(allThat(preview, "replace")).toEqual([...unknown, "minter", "source"].sort());
  // Only resources that use the new id or the new access token.
  expect(allThat(update, "replaced")).toEqual(["follower", "minter", "source"]);
  expect(allThat(update, "updated")).toEqual(["own"]);
  expect(service.tokens.list()).toHaveLength(12);
  expect(service.annotations.list()).toHaveLength(1);
});

test("a name made from another token's id follows it: created with it, and replaced when the other one is", async () => {
  const { sourceId, followerName } = await deployment.workspace.outputs();
  expect(sourceId).not.toBe(made.sourceId);
  expect(followerName).toBe(`of-${sourceId}`);
});

test("a token can be the credential of a provider in the same program, and be replaced", async () => {
  expect((await deployment.workspace.outputs()).mintedId).toBe(made.mintedId);
  await deployment.workspace.up({ args: ["--expect-no-changes"] });
});
