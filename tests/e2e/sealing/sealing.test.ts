import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { openSealed } from "../../../cli/open";
import { environmentOf } from "../../../emulator/emulator";
import { cli } from "../../support/cli";
import { createDeployment, type Deployment, due, untilDue } from "../../support/deployment";
import { ageKey, boxKey } from "../../support/keys";

const quiet = `expiresIn: "90d", rotation: { rotateBefore: "14d" }`;

const program = (recipients: unknown, rotation = quiet) => `import { ApiToken } from "pulumi-event-datasets";
const args = { orgCapabilities: { apiTokens: ["read"] }, sealFor: ${JSON.stringify(recipients)}, ${rotation} };
export const { token, sealedToken, fingerprint } = new ApiToken("ci", args);
`;

/** Opens the secret as a recipient, and expects no trace of it in the workspace. A sealed value is no Pulumi secret. */
async function openedSecret(deployment: Deployment, identity: string): Promise<string> {
  const { token, sealedToken, fingerprint } = await deployment.workspace.outputs();
  expect(token).toBeUndefined();
  const secret = await openSealed(JSON.stringify(sealedToken), identity);
  expect(createHash("sha256").update(secret).digest("hex").slice(0, 12)).toBe(fingerprint);
  expect(await deployment.traces(secret)).toEqual([]);
  return secret;
}

test("a token is sealed for several recipients, works once opened, stays unchanged, and is sealed again when it rotates", async () => {
  const [age, box] = [await ageKey(), await boxKey()];
  const recipients = [age.recipient, { key: box.publicKey, keyId: "7" }];
  await using deployment = await createDeployment({ program: { "index.ts": program(recipients) } });
  const { workspace, service } = deployment;
  await workspace.up();
  const secret = await openedSecret(deployment, age.identity);
  expect(await openedSecret(deployment, box.privateKey)).toBe(secret);
  expect(await deployment.statusFor(secret)).toBe(200);

  const spelled = [{ keyId: " 7", key: box.publicKey.replace("=", "") }, `${age.recipient.toUpperCase()}\n`];
  await workspace.writeFile("index.ts", program(spelled));
  await workspace.up({ args: ["--refresh", "--expect-no-changes"] });
  expect(await openedSecret(deployment, age.identity)).toBe(secret);
  expect(deployment.writes()).toEqual(["POST /v2/tokens 200"]);

  const state = join(workspace.root, "state.json");
  await workspace.run(["stack", "export", "--file", state]);
  expect(await cli(["audit", "--state", state], { env: environmentOf(service) })).toMatchObject({ code: 0 });

  // This profile cannot revoke the old token, so it stays until its expiry.
  await untilDue(service);
  await workspace.writeFile("index.ts", program(recipients, due));
  await workspace.up();
  const rotated = await openedSecret(deployment, age.identity);
  expect(rotated).not.toBe(secret);
  expect(await deployment.statusFor(rotated)).toBe(200);
  expect(await deployment.traces(secret)).toEqual([]);
  expect(service.tokens.list()).toHaveLength(2);
});
