import { expect, test } from "@jest/globals";
import { EventDatasets } from "../../sdk";
import { createDeployment, startTemporaryEmulator } from "../support/deployment";
import { shareAddress } from "../support/sharedAddress";

const extended = { serviceOptions: { profile: "extended" }, env: { EVENT_DATASETS_PROFILE: "extended" } } as const;

const two = {
  "index.ts": `import { ApiToken } from "pulumi-event-datasets";
for (const name of ["one", "two"]) new ApiToken(name, { orgCapabilities: { apiTokens: ["read"] } });
`,
};

const otherToken = "xaat-root-of-another-account";

/** Two accounts behind one address; the first is the one of the deployment. */
async function twoAccounts(program: Record<string, string>) {
  const deployment = await createDeployment({ ...extended, program });
  const other = await startTemporaryEmulator({ profile: "extended", rootToken: otherToken });
  const address = await shareAddress((credential) => (credential === otherToken ? other : deployment.service));
  const accessOf = (credential: string) => ({
    EVENT_DATASETS_BASE_URL: address.url,
    EVENT_DATASETS_ACCESS_TOKEN: credential,
  });
  return {
    ...{ deployment, workspace: deployment.workspace, service: deployment.service, other, address },
    own: accessOf(deployment.service.rootToken),
    foreign: accessOf(otherToken),
    accessOf,
    async [Symbol.asyncDispose]() {
      await deployment[Symbol.asyncDispose]();
      await address[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
    },
  };
}

test("with another account's credential at the same address a refresh and a destroy fail and keep the state", async () => {
  await using it = await twoAccounts(two);
  await it.workspace.up({ env: it.own });
  const before = (await it.workspace.export()).deployment.resources;

  const refreshed = await it.workspace.refresh({ env: it.foreign, expectFailure: true });
  expect(refreshed.stdout).toContain("last seen with another credential");
  const destroyed = await it.workspace.destroy({ env: it.foreign, expectFailure: true });
  expect(destroyed.stdout).toContain("last seen with another credential");
  expect((await it.workspace.export()).deployment.resources?.map(({ id }) => id)).toEqual(before?.map(({ id }) => id));
  expect(it.service.tokens.list()).toHaveLength(2);
  await it.workspace.up({ env: it.own, args: ["--expect-no-changes"] });
});

test("a rotated credential of the same account still sees what was deleted, for another token proves the account", async () => {
  await using it = await twoAccounts(two);
  await it.workspace.up({ env: it.own });
  await using client = new EventDatasets({ baseUrl: it.service.url, accessToken: it.service.rootToken });
  const rotated = await client.tokens.create({
    name: "credential",
    orgCapabilities: { apiTokens: ["create", "read", "delete"] },
  });
  await it.service.tokens.remove(String((await it.deployment.resource("ApiToken", "one")).id));

  const env = it.accessOf(rotated.token);
  expect((await it.workspace.refresh({ env })).stdout).toMatch(/- 1 deleted/);
  await it.workspace.refresh({ env, args: ["--expect-no-changes"] });
  expect((await it.workspace.up({ env })).stdout).toMatch(/\+ 1 created/);
});

const inProvider = (name: string, args: string) => ({
  "index.ts": `import { ApiToken, Provider } from "pulumi-event-datasets";
const provider = new Provider("${name}", { profile: "extended", ${args} });
export const { id, token } = new ApiToken("ci", { orgCapabilities: { apiTokens: ["read"] } }, { provider });
`,
});

test("a token whose provider became another one is neither unchanged nor made anew by guess", async () => {
  await using it = await twoAccounts({ "index.ts": "" });
  const write = (name: string, credential: string, more = "") => {
    const args = `baseUrl: "${it.address.url}", accessToken: "${credential}", ${more}`;
    return it.workspace.writeFile("index.ts", inProvider(name, args)["index.ts"]);
  };
  const { rootToken } = it.service;
  await write("staging", rootToken);
  await it.workspace.up();
  const before = await it.workspace.outputs({ showSecrets: true });

  await write("prod", otherToken);
  const { stdout } = await it.workspace.preview({ expectFailure: true });
  expect(stdout).toMatch(/Provider "staging".*Provider "prod".*setting "account"/);
  expect(it.other.tokens.list()).toEqual([]);

  // Renaming a Provider costs nothing: the credential is the same.
  await write("renamed", rootToken);
  await it.workspace.up();
  expect(await it.workspace.outputs({ showSecrets: true })).toEqual(before);

  await write("renamed", rootToken, `account: "staging"`);
  await it.workspace.up();
  expect(await it.workspace.outputs({ showSecrets: true })).toEqual(before);

  await write("prod", otherToken, `account: "prod"`);
  expect((await it.workspace.preview()).stdout).toContain('the account is "prod" now instead of "staging"');
  await it.workspace.up();
  const after = await it.workspace.outputs({ showSecrets: true });
  expect(after.token).not.toBe(before.token);
  expect(it.other.tokens.list()).toMatchObject([{ id: after.id }]);
  // The old one went with the provider that it was made with.
  expect(it.service.tokens.list()).toEqual([]);
});

test("another address is never unchanged; with the same label for both it is the same account", async () => {
  await using it = await twoAccounts({
    "index.ts": `import { ApiToken } from "pulumi-event-datasets";
export const { id, token } = new ApiToken("ci", { orgCapabilities: { apiTokens: ["read"] } });
`,
  });
  await it.workspace.up();
  const before = await it.workspace.outputs({ showSecrets: true });
  const moved = it.own;
  const { stdout } = await it.workspace.preview({ env: moved, expectFailure: true });
  expect(stdout).toContain(it.service.url);
  expect(stdout).toContain(it.address.url);

  const label = { EVENT_DATASETS_ACCOUNT: "prod" };
  await it.workspace.up({ env: label });
  await it.workspace.up({ env: { ...moved, ...label }, args: ["--expect-no-changes"] });
  expect(await it.workspace.outputs({ showSecrets: true })).toEqual(before);
});
