import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { openSealed } from "../../../cli/openSealed";
import { cli } from "../../support/cli";
import { start } from "../../support/command";
import { createDeployment, type Deployment, due, untilDue } from "../../support/deployment";
import { ageKey, boxKey } from "../../support/keys";
import { useWarmHosts } from "../../support/warmHosts";

useWarmHosts();

const extended = { serviceOptions: { profile: "extended" }, env: { EVENT_DATASETS_PROFILE: "extended" } } as const;
const quiet = `expiresIn: "90d", rotation: { rotateBefore: "14d" }`;

/** Tokens by name, each with the code of its arguments other than its rights. */
type Tokens = Readonly<Record<string, string>>;

const program = (tokens: Tokens) => `import { ApiToken } from "pulumi-event-datasets";
const declared = { ${Object.entries(tokens).map(([name, args]) => `"${name}": { ${args} }`)} };
for (const [name, args] of Object.entries(declared)) {
  const ci = new ApiToken(name, { orgCapabilities: { apiTokens: ["read"] }, ...(args as object) });
  const { id, token, sealedToken, fingerprint, expiresAt } = ci;
  exports[name] = { id, token, sealedToken, fingerprint, expiresAt };
}
`;

const sealedFor = (recipients: unknown, more = quiet) => `sealFor: ${JSON.stringify(recipients)}, ${more}`;

interface Outputs {
  readonly id: string;
  readonly token?: string;
  readonly sealedToken?: Record<string, string>;
  readonly fingerprint: string;
}

const outputsOf = async ({ workspace }: Deployment, name: string): Promise<Outputs> =>
  (await workspace.outputs({ showSecrets: true }))[name] as Outputs;

/** Opens the secret as a recipient, and expects no trace of it in the workspace. What is sealed is no Pulumi secret. */
async function openedSecret(deployment: Deployment, identity: string, name = "ci"): Promise<string> {
  const { token, sealedToken, fingerprint } = (await deployment.workspace.outputs())[name] as Outputs;
  expect(token).toBeUndefined();
  const secret = await openSealed(JSON.stringify(sealedToken), identity);
  expect(createHash("sha256").update(secret).digest("hex").slice(0, 12)).toBe(fingerprint);
  expect(await deployment.traces(secret)).toEqual([]);
  return secret;
}

const answerTo = async (deployment: Deployment, secret: string) =>
  (await fetch(`${deployment.service.url}/v2/tokens`, { headers: { authorization: `Bearer ${secret}` } })).status;

test("a token is sealed for several recipients, works once opened, stays unchanged, and is sealed again when it rotates", async () => {
  const [age, box] = [await ageKey(), await boxKey()];
  const recipients = [age.recipient, { key: box.publicKey, keyId: "7" }];
  const declareSealed = (some: unknown, more?: string) => program({ ci: sealedFor(some, more) });
  await using deployment = await createDeployment({ program: { "index.ts": declareSealed(recipients) } });
  const { workspace, service } = deployment;
  await workspace.preview();
  await workspace.up();
  const secret = await openedSecret(deployment, age.identity);
  expect(await openedSecret(deployment, box.privateKey)).toBe(secret);
  expect(await answerTo(deployment, secret)).toBe(200);

  await workspace.up({ args: ["--expect-no-changes"] });
  const spelled = [{ keyId: " 7", key: box.publicKey.replace("=", "") }, `${age.recipient.toUpperCase()}\n`];
  await workspace.writeFile("index.ts", declareSealed(spelled));
  await workspace.up({ args: ["--expect-no-changes"] });
  await workspace.refresh({ args: ["--expect-no-changes"] });
  expect(await openedSecret(deployment, age.identity)).toBe(secret);
  expect(deployment.writes()).toEqual(["POST /v2/tokens 200"]);

  const state = join(workspace.root, "state.json");
  await workspace.run(["stack", "export", "--file", state]);
  const env = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: service.rootToken };
  expect(await cli(["audit", "--state", state], { env })).toMatchObject({ code: 0 });

  // This profile cannot revoke the old token, so it stays until its expiry.
  await untilDue(service);
  await workspace.writeFile("index.ts", declareSealed(recipients, due));
  await workspace.up();
  const rotated = await openedSecret(deployment, age.identity);
  expect(rotated).not.toBe(secret);
  expect(await answerTo(deployment, rotated)).toBe(200);
  expect(await deployment.traces(secret)).toEqual([]);
  expect(service.tokens.list()).toHaveLength(2);
});

test("a rotation, another recipient, and a change from or to a Pulumi secret replace the token, as the preview says; the old one is then revoked", async () => {
  const [first, second] = [await ageKey(), await ageKey()];
  const before: Tokens = {
    rotated: sealedFor(first.recipient),
    shared: sealedFor(first.recipient),
    plain: quiet,
    sealed: sealedFor(first.recipient),
  };
  await using deployment = await createDeployment({ ...extended, program: { "index.ts": program(before) } });
  const { workspace, service } = deployment;
  await workspace.up();
  const old = {
    rotated: await openedSecret(deployment, first.identity, "rotated"),
    shared: await openedSecret(deployment, first.identity, "shared"),
    plain: String((await outputsOf(deployment, "plain")).token),
    sealed: await openedSecret(deployment, first.identity, "sealed"),
  };
  const { id } = await outputsOf(deployment, "rotated");

  const after: Tokens = {
    rotated: sealedFor(first.recipient, due),
    shared: sealedFor([first.recipient, second.recipient]),
    plain: sealedFor(first.recipient),
    sealed: quiet,
  };
  await untilDue(service);
  await workspace.writeFile("index.ts", program(after));
  const { stdout } = await workspace.preview();
  expect(stdout).toContain(`(id ${id}) will be replaced, which creates a new secret: expires`);
  const sealedAnew = stdout.matchAll(/"(\w+)-[0-9a-f]{7}" \(id \S+\) will be replaced, .* sealFor changed\./g);
  expect(new Set([...sealedAnew].map(([, name]) => name))).toEqual(new Set(["shared", "plain", "sealed"]));
  await workspace.up();

  const renewed = {
    rotated: await openedSecret(deployment, first.identity, "rotated"),
    shared: await openedSecret(deployment, second.identity, "shared"),
    plain: await openedSecret(deployment, first.identity, "plain"),
    sealed: String((await outputsOf(deployment, "sealed")).token),
  };
  expect(await openedSecret(deployment, first.identity, "shared")).toBe(renewed.shared);
  expect((await outputsOf(deployment, "sealed")).sealedToken).toBeUndefined();
  for (const secret of Object.values(old)) expect(await answerTo(deployment, secret)).toBe(401);
  for (const secret of Object.values(renewed)) expect(await answerTo(deployment, secret)).toBe(200);
  expect(await deployment.traces(old.rotated)).toEqual([]);
  const changes = deployment.writes().map((call) => call.split(" ")[0]);
  expect(changes).toEqual([...Array(8).fill("POST"), ...Array(4).fill("DELETE")]);
  await workspace.destroy();
  expect(service.tokens.list()).toEqual([]);
});

// The examples run without the package: only a program that seals something needs it.
test("a missing package fails the preview, which names it", async () => {
  const { publicKey, privateKey } = await boxKey();
  await using deployment = await createDeployment({
    program: { "index.ts": program({ ci: sealedFor({ key: publicKey, keyId: "1" }) }) },
    installation: "packed",
  });
  const { workspace, service } = deployment;
  expect((await workspace.preview({ expectFailure: true })).stdout).toContain(
    "sealFor cannot be used: sealed boxes need the package libsodium-wrappers, which is not installed: npm install libsodium-wrappers",
  );
  expect(service.calls).toEqual([]);
  await workspace.writeFile("key", privateKey);
  const main = join(workspace.program, "node_modules/pulumi-event-datasets/dist/cli/main.js");
  const settings = { cwd: workspace.program, env: {}, stdin: publicKey };
  const opening = await start(process.execPath, [main, "open", "--identity", "key"], settings);
  expect(await opening.done).toMatchObject({
    code: 2,
    stderr:
      "event-datasets: sealed boxes need the package libsodium-wrappers, which is not installed: npm install libsodium-wrappers\n",
  });
});
