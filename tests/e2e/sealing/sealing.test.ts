import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { openSealed } from "../../../provider/lifecycle/seal/open";
import { EventDatasets } from "../../../sdk";
import { cli } from "../../support/cli";
import { start } from "../../support/command";
import { createDeployment, type Deployment } from "../../support/deployment";
import { ageKey, boxKey } from "../../support/sealing";

const extended = { serviceOptions: { profile: "extended" }, env: { EVENT_DATASETS_PROFILE: "extended" } } as const;
const quiet = `rotation: { expireAfter: "90d", rotateBefore: "14d" }`;
/** Due a second after the creation. */
const due = `rotation: { expireAfter: "90d", rotateBefore: "P89DT23H59M59S" }`;

const program = (sealFor: unknown, more = quiet) => ({
  "index.ts": `import { ApiToken } from "pulumi-event-datasets";
const args = { orgCapabilities: { apiTokens: ["read" as const] }, ${more} };
const ci = new ApiToken("ci", { ...args, sealFor: ${JSON.stringify(sealFor)} });
export const { id, token, sealedToken, fingerprint, expiresAt } = ci;
`,
});

/** What one of the recipients opens, after it was found nowhere in the workspace. */
async function openedSecret(deployment: Deployment, identity: string): Promise<string> {
  const outputs = await deployment.workspace.outputs({ showSecrets: true });
  expect(outputs.token).toBeUndefined();
  const secret = await openSealed(JSON.stringify(outputs.sealedToken), identity);
  expect(createHash("sha256").update(secret).digest("hex").slice(0, 12)).toBe(outputs.fingerprint);
  expect(await deployment.traces(secret)).toEqual([]);
  return secret;
}

const answerTo = async (deployment: Deployment, secret: string) =>
  (await fetch(`${deployment.service.url}/v2/tokens`, { headers: { authorization: `Bearer ${secret}` } })).status;

test("a token is sealed for several recipients, works once it is opened, and stays as it is", async () => {
  const [age, box] = [await ageKey(), await boxKey()];
  const recipients = [age.recipient, { key: box.publicKey, keyId: "7" }];
  await using deployment = await createDeployment({ program: program(recipients) });
  const { workspace } = deployment;
  await workspace.preview();
  await workspace.up();
  const secret = await openedSecret(deployment, age.identity);
  expect(await openedSecret(deployment, box.privateKey)).toBe(secret);
  expect(await answerTo(deployment, secret)).toBe(200);

  const spelled = [{ keyId: " 7", key: box.publicKey.replace("=", "") }, `${age.recipient.toUpperCase()}\n`];
  for (const file of [recipients, spelled]) {
    await workspace.writeFile("index.ts", program(file)["index.ts"]);
    await workspace.preview({ args: ["--expect-no-changes"] });
    await workspace.up({ args: ["--expect-no-changes"] });
    await workspace.refresh({ args: ["--expect-no-changes"] });
  }
  expect(await openedSecret(deployment, age.identity)).toBe(secret);
  expect(deployment.writes()).toEqual(["POST /v2/tokens 200"]);

  const state = join(workspace.root, "state.json");
  await workspace.run(["stack", "export", "--file", state]);
  const env = {
    EVENT_DATASETS_BASE_URL: deployment.service.url,
    EVENT_DATASETS_ACCESS_TOKEN: deployment.service.rootToken,
  };
  expect(await cli(["audit", "--state", state], { env })).toMatchObject({ code: 0 });
});

test.each([
  ["documented", {}],
  ["extended", extended],
])(
  "in the %s profile a rotation seals the next secret, and the old token is retired last",
  async (profile, options) => {
    const age = await ageKey();
    await using deployment = await createDeployment({ ...options, program: program(age.recipient) });
    const { workspace, service } = deployment;
    await workspace.up();
    const old = await openedSecret(deployment, age.identity);
    const { id } = await workspace.outputs();
    await workspace.writeFile("index.ts", program(age.recipient, due)["index.ts"]);
    expect((await workspace.preview()).stdout).toContain(
      `(id ${id}) will be replaced, which makes a new secret: expires`,
    );
    await workspace.up();
    const secret = await openedSecret(deployment, age.identity);
    expect(secret).not.toBe(old);
    expect(await answerTo(deployment, secret)).toBe(200);
    expect(await deployment.traces(old)).toEqual([]);
    expect(service.tokens.list()).toHaveLength(profile === "extended" ? 1 : 2);
  },
);

test("another recipient makes another token, which the preview says; the old one is revoked after it", async () => {
  const [first, second] = [await ageKey(), await ageKey()];
  await using deployment = await createDeployment({ ...extended, program: program(first.recipient) });
  const { workspace } = deployment;
  await workspace.up();
  const old = await openedSecret(deployment, first.identity);
  await workspace.writeFile("index.ts", program([first.recipient, second.recipient])["index.ts"]);
  expect((await workspace.preview()).stdout).toContain("which makes a new secret: sealFor changed.");
  await workspace.up();
  const secret = await openedSecret(deployment, second.identity);
  expect(await openedSecret(deployment, first.identity)).toBe(secret);
  expect([await answerTo(deployment, old), await answerTo(deployment, secret)]).toEqual([401, 200]);
  expect(deployment.writes().map((call) => call.split(" ")[0])).toEqual(["POST", "POST", "DELETE"]);
  await workspace.destroy();
  expect(await answerTo(deployment, secret)).toBe(401);
});

test("a token that was a Pulumi secret is made anew to be sealed, and the other way round", async () => {
  const age = await ageKey();
  await using deployment = await createDeployment({ ...extended, program: program(undefined) });
  const { workspace } = deployment;
  await workspace.up();
  const plain = String((await workspace.outputs({ showSecrets: true })).token);
  await workspace.writeFile("index.ts", program(age.recipient)["index.ts"]);
  await workspace.up();
  expect(await openedSecret(deployment, age.identity)).not.toBe(plain);
  expect(await answerTo(deployment, plain)).toBe(401);
  await workspace.writeFile("index.ts", program(undefined)["index.ts"]);
  await workspace.up();
  const outputs = await workspace.outputs({ showSecrets: true });
  expect(outputs.sealedToken).toBeUndefined();
  expect(await answerTo(deployment, String(outputs.token))).toBe(200);
});

test("a token that was adopted is sealed from its first rotation on; a secret that the program has is refused", async () => {
  const age = await ageKey();
  const adopting = (adopt: object) => program(age.recipient, `${due}, name: "legacy", adopt: ${JSON.stringify(adopt)}`);
  await using deployment = await createDeployment({ ...extended, program: adopting({ name: "legacy" }) });
  const { workspace, service } = deployment;
  await using client = new EventDatasets({ baseUrl: service.url, accessToken: service.rootToken });
  const live = { name: "legacy", expiresAt: "2099-01-01T00:00:00Z", orgCapabilities: { apiTokens: ["read"] } };
  const { id, token } = await client.tokens.create(live);

  await workspace.writeFile("index.ts", adopting({ id, token })["index.ts"]);
  expect((await workspace.preview({ expectFailure: true })).stdout).toContain(
    "adopt.token cannot be set together with sealFor",
  );
  await workspace.writeFile("index.ts", adopting({ id })["index.ts"]);
  await workspace.up();
  expect(await workspace.outputs()).toMatchObject({ id });
  const without = program(age.recipient, `rotation: { triggers: { generation: "2" } }, name: "legacy"`);
  await workspace.writeFile("index.ts", without["index.ts"]);
  await workspace.up();
  expect(await answerTo(deployment, await openedSecret(deployment, age.identity))).toBe(200);
});

test("a create whose answer was lost is tracked, and its successor is sealed", async () => {
  const age = await ageKey();
  await using deployment = await createDeployment({ program: program(age.recipient) });
  const { workspace, service } = deployment;
  service.inject({ method: "POST", path: "/v2/tokens", action: { kind: "close-before-answer" } });
  await workspace.up({ expectFailure: true });
  const [lost] = service.tokens.list();
  expect(await deployment.resource("ApiToken", "ci")).toMatchObject({ id: lost?.id, outputs: { lost: true } });
  await workspace.up();
  expect(await answerTo(deployment, await openedSecret(deployment, age.identity))).toBe(200);
});

test.each([
  ["a mistyped key", `age1${"q".repeat(58)}`, "sealFor cannot be used: nothing can be sealed for age1qqq"],
  ["an SSH key", ["ssh-ed25519 AAAA me"], "sealFor.0 is an SSH key, which the package age-encryption cannot seal for"],
  ["a key of another length", { key: "AAAA", keyId: "7" }, "sealFor needs a key of 32 bytes (X25519) in base64"],
  ["no recipient", [], "sealFor must hold at least one recipient"],
])("%s fails the preview, and nothing is sent", async (_, sealFor, reason) => {
  await using deployment = await createDeployment({ program: program(sealFor) });
  expect((await deployment.workspace.preview({ expectFailure: true })).stdout).toContain(reason);
  expect(deployment.service.calls).toEqual([]);
});

test("a package that is not installed fails the preview by its name, and only where something is sealed", async () => {
  const { recipient } = await ageKey();
  await using deployment = await createDeployment({ program: program(recipient), installation: "packed" });
  const { workspace, service } = deployment;
  expect((await workspace.preview({ expectFailure: true })).stdout).toContain(
    "sealFor cannot be used: age keys need the package age-encryption, which is not installed: npm install age-encryption",
  );
  expect(service.calls).toEqual([]);
  await workspace.writeFile("key", "AGE-SECRET-KEY-1");
  const main = join(workspace.program, "node_modules/pulumi-event-datasets/dist/cli/main.js");
  const settings = { cwd: workspace.program, env: {}, timeoutMs: 60_000, stdin: "-----BEGIN AGE ENCRYPTED FILE-----" };
  const opening = await start(process.execPath, [main, "open", "--identity", "key"], settings);
  expect(await opening.done).toMatchObject({
    code: 2,
    stderr:
      "event-datasets: age keys need the package age-encryption, which is not installed: npm install age-encryption\n",
  });
  await workspace.writeFile("index.ts", program(undefined)["index.ts"]);
  await workspace.up();
  expect(service.tokens.list()).toHaveLength(1);
});
