import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { createDeployment, type Deployment, makeByHand, startTemporaryEmulator } from "../support/deployment";
import { bothForms, inForm } from "../support/forms";
import { shareAddress } from "../support/sharedAddress";
import { ageTokens } from "../support/stackFiles";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

const otherToken = "xaat-root-of-another-account";
const manages = { apiTokens: ["create", "read", "update", "delete"] } as const;

/** Two accounts behind one address, and a stack with tokens in both forms; the stack belongs to the first account. */
async function twoAccounts(profile: "extended" | "documented") {
  const options = { serviceOptions: { profile }, env: { EVENT_DATASETS_PROFILE: profile } };
  const deployment = await createDeployment(inForm("both", { ...options, program: { "index.ts": "" } }));
  const other = await startTemporaryEmulator({ profile, rootToken: otherToken });
  const address = await shareAddress((credential) => (credential === otherToken ? other : deployment.service));
  const accessOf = (EVENT_DATASETS_ACCESS_TOKEN: string) => ({
    env: { EVENT_DATASETS_BASE_URL: address.url, EVENT_DATASETS_ACCESS_TOKEN },
  });
  return {
    ...{ deployment, workspace: deployment.workspace, service: deployment.service, other },
    own: accessOf(deployment.service.rootToken),
    foreign: accessOf(otherToken),
    /** Another access token of the first account. */
    renewed: async () =>
      accessOf((await makeByHand(deployment.service, { name: "renewed", orgCapabilities: manages })).token),
    async [Symbol.asyncDispose]() {
      await deployment[Symbol.asyncDispose]();
      await address[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
    },
  };
}

type World = Awaited<ReturnType<typeof twoAccounts>>;

/** Tokens of both forms, and the secrets that their consumers have. */
const program = (round: number, more = "") => `${bothForms}
export const tokens = inBothForms((form, { ApiToken }) => {
  const args = { expiresAt: "2099-01-01T00:00:00Z", orgCapabilities: { apiTokens: ["read"] } };
  const rotated = new ApiToken(form + "-rotated", { ...args, rotation: { triggers: { round: ${round} } } });
  const { id, token } = new ApiToken(form + "-plain", args);
  ${more}
  return [{ id: rotated.id, token: rotated.token }, { id, token }];
}).flat();
`;

const shown = async ({ workspace }: World) =>
  (await workspace.outputs({ showSecrets: true })).tokens as { readonly id: string; readonly token: string }[];

/** Whether every consumer's secret works. */
async function expectWorking(it: World): Promise<void> {
  for (const { token } of await shown(it)) {
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${it.service.url}/v2/tokens`, { headers })).status).toBe(200);
  }
}

const lines = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => stdout + stderr;
const question = "is this access token of another account?";

describe.each(["extended", "documented"] as const)("in both forms and the %s profile,", (profile) => {
  let it: World;
  const write = (round: number, more?: string) => it.workspace.writeFile("index.ts", program(round, more));
  beforeEach(async () => {
    it = await twoAccounts(profile);
    await write(1);
    await it.workspace.up(it.own);
    // The first token of an account was created beside no other.
    await it.workspace.refresh({ ...it.own, args: ["--expect-no-changes"] });
  });
  afterEach(async () => it?.[Symbol.asyncDispose]());

  test("a rotation, a refresh and a destroy with the access token of another account are refused, and change nothing", async () => {
    const before = await shown(it);
    await write(2);
    expect(lines(await it.workspace.preview({ ...it.foreign, expectFailure: true }))).toContain(question);
    expect(lines(await it.workspace.up({ ...it.foreign, expectFailure: true }))).toContain(question);
    expect(lines(await it.workspace.refresh({ ...it.foreign, expectFailure: true }))).toContain(question);
    if (profile === "extended")
      expect(lines(await it.workspace.destroy({ ...it.foreign, expectFailure: true }))).toContain(question);
    expect(it.other.tokens.list()).toEqual([]);
    expect(await shown(it)).toEqual(before);
    await it.workspace.up(it.own);
    await expectWorking(it);
    await it.workspace.up({ ...it.own, args: ["--expect-no-changes"] });
  });

  test("with a renewed access token and at another address found is found: a deleted token is created again, and nothing else", async () => {
    const renewed = await it.renewed();
    const [gone] = await shown(it);
    await it.service.tokens.remove(gone?.id ?? "");
    await ageTokens(it.workspace);
    expect(lines(await it.workspace.refresh(renewed))).toMatch(/- 1 deleted/);
    expect(lines(await it.workspace.up(renewed))).toMatch(/\+ 1 created/);
    await expectWorking(it);
    const moved = { env: { ...renewed.env, EVENT_DATASETS_BASE_URL: it.service.url } };
    await it.workspace.up({ ...moved, args: ["--expect-no-changes"] });
    await write(2);
    await it.workspace.up(moved);
    await expectWorking(it);
  });

  test("once no recorded token is left and the access token was renewed, the one documented step goes on", async () => {
    const renewed = await it.renewed();
    for (const { id } of await shown(it)) await it.service.tokens.remove(id);
    await ageTokens(it.workspace);
    const refused = lines(await it.workspace.refresh({ ...renewed, expectFailure: true }));
    expect(refused).toContain(question);
    expect(refused).not.toContain("state delete");
    // The engine stops at the first failures, so a run may name only some of them.
    const ids = new Set<string>();
    for (let output = refused; output !== ""; ) {
      for (const [, named = ""] of output.matchAll(/EVENT_DATASETS_NOT_FOUND=([\w,-]+)/g))
        for (const id of named.split(",")) ids.add(id);
      const env = { ...renewed.env, EVENT_DATASETS_NOT_FOUND: [...ids].join(",") };
      const next = await it.workspace.refresh({ env, expectFailure: "either" });
      output = next.code === 0 ? "" : lines(next);
    }
    await it.workspace.up(renewed);
    await expectWorking(it);
    await it.workspace.up({ ...renewed, args: ["--expect-no-changes"] });
  });

  test("a new resource is created in the wrong account, and the right one leaves it alone; with its own it can be removed", async () => {
    const more = `new ApiToken(form + "-new", args);`;
    await write(1, more);
    const up = await it.workspace.up(it.foreign);
    expect(lines(up)).toContain("may be of another account");
    expect(it.other.tokens.list()).toHaveLength(2);
    await ageTokens(it.workspace);
    expect(lines(await it.workspace.up({ ...it.own, args: ["--refresh"], expectFailure: true }))).toContain(question);
    await expectWorking(it);
    await write(1);
    await it.workspace.up(it.foreign);
    expect(it.other.tokens.list()).toHaveLength(profile === "extended" ? 0 : 2);
    await it.workspace.up({ ...it.own, args: ["--expect-no-changes"] });
    await expectWorking(it);
  });
});

const providerImports = `import * as pulumi from "@pulumi/pulumi";
import { ApiToken, Provider } from "pulumi-event-datasets";
`;

test("a Provider that is introduced, renamed or gets another address changes nothing; two accounts are two Providers", async () => {
  await using it = await twoAccounts("extended");
  const { rootToken } = it.service;
  const declared = (key: string, name: string, baseUrl: string, accessToken: string) =>
    `const ${key} = new ApiToken("${key}", { orgCapabilities: { apiTokens: ["read"] } }, {
  provider: new Provider("${name}", ${JSON.stringify({ baseUrl, accessToken, profile: "extended" })}),
});
export const ${key}Is = pulumi.all([${key}.id, ${key}.token]);
`;
  const write = (...tokens: string[]) => it.workspace.writeFile("index.ts", [providerImports, ...tokens].join(""));
  const outputs = () => it.workspace.outputs({ showSecrets: true });
  const shared = it.own.env.EVENT_DATASETS_BASE_URL;
  await write(declared("a", "staging", shared, rootToken), declared("b", "other", shared, otherToken));
  await it.workspace.up();
  const before = await outputs();
  expect([it.service.tokens.list().length, it.other.tokens.list().length]).toEqual([1, 1]);
  await write(declared("a", "renamed", it.service.url, rootToken), declared("b", "other", shared, otherToken));
  await it.workspace.up();
  expect(await outputs()).toEqual(before);
});

test("an access token that cannot list tokens creates and rotates; a missing token is an error", async () => {
  const program = (round: number) =>
    `${providerImports}new ApiToken("ci", { rotation: { triggers: { round: ${round} } } });\n`;
  await using deployment: Deployment = await createDeployment({ program: { "index.ts": program(1) } });
  const { workspace, service } = deployment;
  const { token } = await makeByHand(service, { name: "creator", orgCapabilities: { apiTokens: ["create"] } });
  const env = { EVENT_DATASETS_ACCESS_TOKEN: token };
  await workspace.up({ env });
  await workspace.writeFile("index.ts", program(2));
  await workspace.up({ env });
  expect(service.tokens.list()).toHaveLength(3);
  await workspace.refresh({ env, expectFailure: true });
});
