import { createServer, request, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Emulator } from "../../emulator";
import { createDeployment, makeByHand, startTemporaryEmulator } from "../support/deployment";
import { bothForms, inForm } from "../support/program";
import { listen } from "../support/service";
import { ageTokens } from "../support/stack";
import { openForTests } from "../support/suite";

const otherToken = "xaat-root-of-another-account";

/** Serves several accounts under one address, as the public service does: the credential alone decides whose a request is. */
const shareAddress = (accounts: (credential: string) => Emulator): Server =>
  createServer((incoming, answer) => {
    const { method, url: path, headers } = incoming;
    const { hostname, port } = new URL(accounts(headers.authorization?.replace("Bearer ", "") ?? "").url);
    const passed = request({ hostname, port, path, method, headers, agent: false }, (its) => {
      answer.writeHead(its.statusCode ?? 502, its.headers);
      its.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    incoming.pipe(passed);
  });

/** Tokens of both forms, and the secrets that their consumers have. */
const program = (round: number) => `${bothForms}
export const tokens = inBothForms((form, { ApiToken }) => {
  const args = { expiresAt: "2099-01-01T00:00:00Z", orgCapabilities: { apiTokens: ["read"] } };
  const rotated = new ApiToken(form + "-rotated", { ...args, rotation: { triggers: { round: ${round} } } });
  const { id, token } = new ApiToken(form + "-plain", args);
  return [{ id: rotated.id, token: rotated.token }, { id, token }];
}).flat();
`;

// Two accounts behind one address, and a stack of the first one: each test goes on where the one before it ended.
const options = { profile: "extended", program: { "index.ts": program(1) } } as const;
const deployment = openForTests(() => createDeployment(inForm("both", options)));
const other = openForTests(() => startTemporaryEmulator({ profile: "extended", rootToken: otherToken }));
const address = shareAddress((credential) => (credential === otherToken ? other : deployment.service));
let url: string;

beforeAll(async () => {
  url = `http://127.0.0.1:${await listen(address)}`;
  await deployment.workspace.up(own());
});
afterAll(() => {
  address.closeAllConnections();
  address.close();
});

const accessOf = (EVENT_DATASETS_ACCESS_TOKEN: string) => ({
  env: { EVENT_DATASETS_BASE_URL: url, EVENT_DATASETS_ACCESS_TOKEN },
});
const own = () => accessOf(deployment.service.rootToken);

/** Another access token of the first account. */
async function renew() {
  const orgCapabilities = { apiTokens: ["create", "read", "update", "delete"] } as const;
  return accessOf((await makeByHand(deployment.service, { name: "renewed", orgCapabilities })).token);
}

const readTokens = async () =>
  (await deployment.workspace.outputs({ showSecrets: true })).tokens as {
    readonly id: string;
    readonly token: string;
  }[];

/** Expects that every consumer's secret works. */
async function expectWorking(): Promise<void> {
  for (const { token } of await readTokens()) expect(await deployment.statusFor(token)).toBe(200);
}

const lines = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => stdout + stderr;
const question = "does this access token belong to another account?";

test("a rotation, a refresh and a destroy with the access token of another account are refused, and change nothing", async () => {
  const { workspace } = deployment;
  const foreign = { ...accessOf(otherToken), expectFailure: true };
  const before = await readTokens();
  await workspace.writeFile("index.ts", program(2));
  expect(lines(await workspace.preview(foreign))).toContain(question);
  expect(lines(await workspace.up(foreign))).toContain(question);
  expect(lines(await workspace.refresh(foreign))).toContain(question);
  expect(lines(await workspace.destroy(foreign))).toContain(question);
  expect(other.tokens.list()).toEqual([]);
  expect(await readTokens()).toEqual(before);
  await workspace.up(own());
  await expectWorking();
});

test("with a renewed access token a deleted token is created again, and nothing else", async () => {
  const { workspace, service } = deployment;
  const [gone] = await readTokens();
  await service.tokens.remove(gone?.id ?? "");
  await ageTokens(workspace);
  const updated = await workspace.up({ ...(await renew()), args: ["--refresh"] });
  expect(lines(updated)).toMatch(/\+ 1 created\n +4 unchanged/);
  await expectWorking();
});

test("once no recorded token is left and the access token was renewed, the one documented step goes on", async () => {
  const { workspace, service } = deployment;
  // Earlier access tokens, too: any token that was listed can be recorded beside another one.
  for (const { id } of service.tokens.list()) await service.tokens.remove(id);
  const renewed = await renew();
  await ageTokens(workspace);
  // The engine stops at the first failures, so a run may name only some of them.
  const ids = new Set<string>();
  let output = lines(await workspace.refresh({ ...renewed, expectFailure: true }));
  expect(output).toContain(question);
  while (output !== "") {
    for (const [, named = ""] of output.matchAll(/EVENT_DATASETS_NOT_FOUND=([\w,-]+)/g))
      for (const id of named.split(",")) ids.add(id);
    const env = { ...renewed.env, EVENT_DATASETS_NOT_FOUND: [...ids].join(",") };
    const next = await workspace.refresh({ env, expectFailure: "either" });
    output = next.code === 0 ? "" : lines(next);
  }
  await workspace.up(renewed);
  await expectWorking();
});
