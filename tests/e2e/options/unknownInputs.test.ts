import { expect, test } from "@jest/globals";
import { createDeployment } from "../../support/deployment";

/** `source` is replaced when `description` changes; then its id is unknown at preview. */
const program = (description: string, uses: string) => `import * as pulumi from "@pulumi/pulumi";
import { Annotation, ApiToken, Provider } from "pulumi-event-datasets";
const expiresAt = "2099-01-01T00:00:00Z";
const source = new ApiToken("source", { expiresAt, description: "${description}" });
const later = <T>(value: T) => source.id.apply(() => value);
${uses}
`;

/** What of the arguments is unknown, and comes to the same value each time. */
const sameEachTime = `
new ApiToken("leaf", { expiresAt, name: later("leaf"), description: later("text"), orgCapabilities: { apiTokens: [later("read")] } });
new ApiToken("whole", { expiresAt: later(expiresAt), orgCapabilities: later({ apiTokens: ["read"] }), datasetCapabilities: later({ web: { query: ["read"] } }), retire: later("expire" as const) });
new ApiToken("counted", { expiresIn: later("36500d") });
new ApiToken("parts", { rotation: { expireAfter: later("36500d"), rotateBefore: later("1d"), triggers: { by: later("hand") } } });
new ApiToken("rotated", { rotation: later({ expireAfter: "36500d", rotateBefore: "1d" }), retire: "expire" });
new Annotation("marked", { datasets: [later("web")], title: later("title"), time: later("2030-01-01T00:00:00Z"), endTime: later("2030-01-02T00:00:00Z") });
`;

const notAnError = /error|problem|Symbol|04da6b54/i;

test("unknown arguments pass the preview of a create, without a false error or warning", async () => {
  await using deployment = await createDeployment({ program: { "index.ts": program("one", sameEachTime) } });
  const { workspace, service } = deployment;
  const preview = await workspace.preview();
  expect(preview.stdout).toContain("+ 8 to create");
  expect(preview.stdout).not.toMatch(notAnError);
  expect(preview.stdout).not.toContain("no expiry");
  await workspace.up();
  await workspace.up({ args: ["--expect-no-changes"] });
  expect(service.tokens.list()).toHaveLength(6);
});

test("arguments that are unknown at the preview of an update, and come to the same, replace nothing", async () => {
  await using deployment = await createDeployment({ program: { "index.ts": program("one", sameEachTime) } });
  const { workspace, service } = deployment;
  await workspace.up();
  await workspace.writeFile("index.ts", program("two", sameEachTime));
  const preview = await workspace.preview();
  expect(preview.stdout).not.toMatch(notAnError);
  expect(preview.stdout).toContain("+-1 to replace");
  const { stdout } = await workspace.up();
  expect(stdout).toContain("+-1 replaced");
  expect(stdout).not.toContain("updated");
  expect(service.tokens.list()).toHaveLength(7);
  expect(service.annotations.list()).toHaveLength(1);
});

test("a name made from another token's id follows it: created with it, and replaced when the other one is", async () => {
  const uses = `export const { name } = new ApiToken("follower", { expiresAt, name: pulumi.interpolate\`of-\${source.id}\` });
export const { id } = source;`;
  await using deployment = await createDeployment({ program: { "index.ts": program("one", uses) } });
  const { workspace } = deployment;
  await workspace.preview();
  await workspace.up();
  await workspace.writeFile("index.ts", program("two", uses));
  expect((await workspace.preview()).stdout).not.toMatch(notAnError);
  expect((await workspace.up()).stdout).toContain("+-2 replaced");
  const { id, name } = await workspace.outputs();
  expect(name).toBe(`of-${id}`);
  await workspace.up({ args: ["--expect-no-changes"] });
});

test("a token can be the credential of a provider in the same program", async () => {
  const uses = `const minter = new ApiToken("minter", { expiresAt, description: source.description, orgCapabilities: { apiTokens: ["create", "read"] } });
const provider = new Provider("own", { baseUrl: new pulumi.Config().require("url"), accessToken: minter.token });
export const { id } = new ApiToken("minted", { expiresAt }, { provider });`;
  await using deployment = await createDeployment({ program: { "index.ts": program("one", uses) } });
  const { workspace, service } = deployment;
  await workspace.setConfig("url", service.url);
  expect((await workspace.preview()).stdout).not.toMatch(notAnError);
  await workspace.up();
  const before = await workspace.outputs();
  await workspace.up({ args: ["--expect-no-changes"] });

  await workspace.writeFile("index.ts", program("two", uses));
  expect((await workspace.preview()).stdout).not.toMatch(notAnError);
  await workspace.up();
  expect(await workspace.outputs()).toEqual(before);
});
