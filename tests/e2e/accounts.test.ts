import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { EventDatasets } from "../../sdk";
import { createDeployment, startTemporaryEmulator } from "../support/deployment";
import { shareAddress } from "../support/sharedAddress";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

const extended = { serviceOptions: { profile: "extended" }, env: { EVENT_DATASETS_PROFILE: "extended" } } as const;

const two = {
  "index.ts": `import { ApiToken } from "pulumi-event-datasets";
const tokens = ["one", "two"].map((name) => new ApiToken(name, { orgCapabilities: { apiTokens: ["read"] } }));
export const secrets = tokens.map(({ id, token }) => ({ id, token }));
`,
};

const providerImports = `import * as pulumi from "@pulumi/pulumi";
import { ApiToken, Provider } from "pulumi-event-datasets";
`;

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
    async [Symbol.asyncDispose]() {
      await deployment[Symbol.asyncDispose]();
      await address[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
    },
  };
}

type Accounts = Awaited<ReturnType<typeof twoAccounts>>;

describe("with tokens that an address and a credential of the environment made,", () => {
  // One stack: each test goes on where the one before it ended, since the engine takes seconds for each command.
  let it: Accounts;
  let rotated: Record<string, string>;
  beforeAll(async () => {
    it = await twoAccounts(two);
    await it.workspace.up({ env: it.own });
  });
  afterAll(async () => it?.[Symbol.asyncDispose]());

  /** All that a resource's next update depends on, less the secrets, which the engine encrypts anew each time. */
  const readRecorded = async () => {
    const { resources = [] } = (await it.workspace.export()).deployment;
    const parts = resources.map(({ urn, id, inputs, outputs }) => ({ urn, id, inputs, outputs }));
    return JSON.parse(JSON.stringify(parts, (key, value) => (key === "ciphertext" ? "" : value)));
  };

  test("with another account's credential at the same address a refresh and a destroy fail and keep the state", async () => {
    const before = await readRecorded();
    const refreshed = await it.workspace.refresh({ env: it.foreign, expectFailure: true });
    expect(refreshed.stdout).toContain("last seen with another credential");
    const destroyed = await it.workspace.destroy({ env: it.foreign, expectFailure: true });
    expect(destroyed.stdout).toContain("last seen with another credential");
    expect(await readRecorded()).toEqual(before);
    expect(it.service.tokens.list()).toHaveLength(2);
  });

  test("with a rotated credential of the same account a deleted token is still noticed, because another token proves the account", async () => {
    await using client = new EventDatasets({ baseUrl: it.service.url, accessToken: it.service.rootToken });
    const orgCapabilities = { apiTokens: ["create", "read", "delete"] } as const;
    const credential = await client.tokens.create({ name: "credential", orgCapabilities });
    await it.service.tokens.remove(String((await it.deployment.resource("ApiToken", "one")).id));

    rotated = { EVENT_DATASETS_ACCESS_TOKEN: credential.token };
    const env = { ...it.own, ...rotated };
    expect((await it.workspace.refresh({ env })).stdout).toMatch(/- 1 deleted/);
    await it.workspace.refresh({ env, args: ["--expect-no-changes"] });
    const { stdout } = await it.workspace.up({ env });
    expect(stdout).toMatch(/\+ 1 created/);
    expect(stdout).toMatch(/\b2 unchanged/); // the other token, and the stack
  });

  test("a changed address is a change, unless both addresses have the same account label", async () => {
    const before = await it.workspace.outputs({ showSecrets: true });
    const moved = { ...it.own, ...rotated, EVENT_DATASETS_BASE_URL: it.service.url };
    const { stdout } = await it.workspace.preview({ env: moved, expectFailure: true });
    expect(stdout).toContain(it.service.url);
    expect(stdout).toContain(it.address.url);

    const label = { EVENT_DATASETS_ACCOUNT: "prod" };
    await it.workspace.up({ env: { ...it.own, ...rotated, ...label } });
    await it.workspace.up({ env: { ...moved, ...label }, args: ["--expect-no-changes"] });
    expect(await it.workspace.outputs({ showSecrets: true })).toEqual(before);
  });
});

test("after a change of its provider a token is neither called unchanged nor created again", async () => {
  await using it = await twoAccounts({ "index.ts": "" });
  const { rootToken } = it.service;
  const declared = (key: string, name: string, credential: string, account = "") => {
    const args = { baseUrl: it.address.url, accessToken: credential, profile: "extended", ...(account && { account }) };
    return `const ${key} = new ApiToken("${key}", { orgCapabilities: { apiTokens: ["read"] } }, {
  provider: new Provider("${name}", ${JSON.stringify(args)}),
});
export const ${key}Is = pulumi.all([${key}.id, ${key}.token]);
`;
  };
  const write = (...tokens: string[]) => it.workspace.writeFile("index.ts", [providerImports, ...tokens].join(""));
  const shown = () => it.workspace.outputs({ showSecrets: true }) as Promise<Record<string, readonly string[]>>;

  await write(declared("plain", "staging", rootToken), declared("labelled", "labelled", rootToken));
  await it.workspace.up();
  const before = await shown();

  await write(declared("plain", "prod", otherToken), declared("labelled", "labelled", rootToken));
  const { stdout } = await it.workspace.preview({ expectFailure: true });
  expect(stdout).toMatch(/Provider "staging".*Provider "prod".*setting "account"/);
  expect(it.other.tokens.list()).toEqual([]);

  // Neither a new name nor a label costs anything: the credential is the same.
  await write(declared("plain", "renamed", rootToken), declared("labelled", "labelled", rootToken, "staging"));
  await it.workspace.up();
  expect(await shown()).toEqual(before);

  await write(declared("plain", "renamed", rootToken), declared("labelled", "prod", otherToken, "prod"));
  expect((await it.workspace.preview()).stdout).toContain('the account is "prod" now instead of "staging"');
  await it.workspace.up();
  const after = await shown();
  expect(after.plainIs).toEqual(before.plainIs);
  const [id, token] = after.labelledIs ?? [];
  expect(token).not.toBe(before.labelledIs?.[1]);
  expect(it.other.tokens.list()).toMatchObject([{ id }]);
  // The old one went with the provider that it was made with.
  expect(it.service.tokens.list()).toMatchObject([{ id: before.plainIs?.[0] }]);
});
