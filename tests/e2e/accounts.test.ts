import { createServer, request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Emulator } from "../../emulator";
import { createDeployment, makeByHand, startTemporaryEmulator } from "../support/deployment";
import { bothForms, inForm } from "../support/program";
import { listen } from "../support/service";
import { ageTokens } from "../support/stack";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

const otherToken = "xaat-root-of-another-account";
const manages = { apiTokens: ["create", "read", "update", "delete"] } as const;

/** Serves several accounts under one address, as the public service does: the credential alone decides whose a request is. */
async function shareAddress(accounts: (credential: string) => Emulator) {
  const server = createServer((incoming, answer) => {
    const { method, url: path, headers } = incoming;
    const { hostname, port } = new URL(accounts(headers.authorization?.replace("Bearer ", "") ?? "").url);
    const passed = request({ hostname, port, path, method, headers, agent: false }, (its) => {
      answer.writeHead(its.statusCode ?? 502, its.headers);
      its.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    incoming.pipe(passed);
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, [Symbol.asyncDispose]: close };
}

/** Two accounts behind one address, and a stack with tokens in both forms; the stack belongs to the first account. */
async function twoAccounts() {
  const options = { serviceOptions: { profile: "extended" }, env: { EVENT_DATASETS_PROFILE: "extended" } } as const;
  const deployment = await createDeployment(inForm("both", { ...options, program: { "index.ts": "" } }));
  const other = await startTemporaryEmulator({ profile: "extended", rootToken: otherToken });
  const address = await shareAddress((credential) => (credential === otherToken ? other : deployment.service));
  const accessOf = (EVENT_DATASETS_ACCESS_TOKEN: string) => ({
    env: { EVENT_DATASETS_BASE_URL: address.url, EVENT_DATASETS_ACCESS_TOKEN },
  });
  const { workspace, service } = deployment;
  return {
    ...{ workspace, service, other },
    own: accessOf(service.rootToken),
    foreign: accessOf(otherToken),
    /** Another access token of the first account. */
    renew: async () => accessOf((await makeByHand(service, { name: "renewed", orgCapabilities: manages })).token),
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

// One stack: each test goes on where the one before it ended.
describe("in both forms,", () => {
  let it: World;
  const write = (round: number, more?: string) => it.workspace.writeFile("index.ts", program(round, more));
  beforeAll(async () => {
    it = await twoAccounts();
    await write(1);
    await it.workspace.up(it.own);
    // The first token of an account was created beside no other.
    await it.workspace.refresh({ ...it.own, args: ["--expect-no-changes"] });
  });
  afterAll(async () => it?.[Symbol.asyncDispose]());

  test("a rotation, a refresh and a destroy with the access token of another account are refused, and change nothing", async () => {
    const { workspace, foreign } = it;
    const before = await shown(it);
    await write(2);
    expect(lines(await workspace.preview({ ...foreign, expectFailure: true }))).toContain(question);
    expect(lines(await workspace.up({ ...foreign, expectFailure: true }))).toContain(question);
    expect(lines(await workspace.refresh({ ...foreign, expectFailure: true }))).toContain(question);
    expect(lines(await workspace.destroy({ ...foreign, expectFailure: true }))).toContain(question);
    expect(it.other.tokens.list()).toEqual([]);
    expect(await shown(it)).toEqual(before);
    await workspace.up(it.own);
    await expectWorking(it);
  });

  test("a new resource is created in the wrong account, and the right one leaves it alone; with its own it can be removed", async () => {
    await write(2, `new ApiToken(form + "-new", args);`);
    expect(lines(await it.workspace.up(it.foreign))).toContain("may be of another account");
    expect(it.other.tokens.list()).toHaveLength(2);
    await ageTokens(it.workspace);
    expect(lines(await it.workspace.up({ ...it.own, args: ["--refresh"], expectFailure: true }))).toContain(question);
    await write(2);
    await it.workspace.up(it.foreign);
    expect(it.other.tokens.list()).toEqual([]);
    await it.workspace.up({ ...it.own, args: ["--expect-no-changes"] });
    await expectWorking(it);
  });

  test("with a renewed access token and at another address a deleted token is created again, and nothing else", async () => {
    const renewed = await it.renew();
    const [gone] = await shown(it);
    await it.service.tokens.remove(gone?.id ?? "");
    await ageTokens(it.workspace);
    expect(lines(await it.workspace.refresh(renewed))).toMatch(/- 1 deleted/);
    expect(lines(await it.workspace.up(renewed))).toMatch(/\+ 1 created/);
    await expectWorking(it);
    const moved = { env: { ...renewed.env, EVENT_DATASETS_BASE_URL: it.service.url } };
    await it.workspace.up({ ...moved, args: ["--expect-no-changes"] });
  });

  test("once no recorded token is left and the access token was renewed, the one documented step goes on", async () => {
    const renewed = await it.renew();
    for (const { id } of await shown(it)) await it.service.tokens.remove(id);
    await ageTokens(it.workspace);
    // The engine stops at the first failures, so a run may name only some of them.
    const ids = new Set<string>();
    let output = lines(await it.workspace.refresh({ ...renewed, expectFailure: true }));
    expect(output).toContain(question);
    while (output !== "") {
      for (const [, named = ""] of output.matchAll(/EVENT_DATASETS_NOT_FOUND=([\w,-]+)/g))
        for (const id of named.split(",")) ids.add(id);
      const env = { ...renewed.env, EVENT_DATASETS_NOT_FOUND: [...ids].join(",") };
      const next = await it.workspace.refresh({ env, expectFailure: "either" });
      output = next.code === 0 ? "" : lines(next);
    }
    await it.workspace.up(renewed);
    await expectWorking(it);
  });
});
