import { expect, test } from "@jest/globals";
import { openSealed } from "../../../cli/open";
import { createDeployment } from "../../support/deployment";
import { boxKey } from "../../support/keys";

/** A program that seals for a key which is known only while the update runs. */
const github = (publicKey: string) => ({
  "index.ts": `import * as pulumi from "@pulumi/pulumi";
import { ApiToken } from "pulumi-event-datasets";
const provider = (module: string) => ({ __provider: \`exports.handler=()=>require("./\${module}.js")\` });
/** Stands for github.getActionsPublicKeyOutput: a key that is known only while the update runs, among other members. */
class PublicKey extends pulumi.CustomResource {
  declare readonly key: pulumi.Output<string>;
  declare readonly keyId: pulumi.Output<string>;
  constructor(name: string, repository: string) {
    super("pulumi-nodejs:test:PublicKey", name, { repository, key: undefined, keyId: undefined, ...provider("publicKey") });
  }
}
/** Stands for github.ActionsSecret. */
class ActionsSecret extends pulumi.CustomResource {
  constructor(name: string, args: { repository: string; secretName: string; encryptedValue: pulumi.Input<string> }) {
    super("pulumi-nodejs:test:ActionsSecret", name, { ...args, ...provider("actionsSecret") });
  }
}
const { key, keyId } = new PublicKey("key", "web");
const sealFor = pulumi.output({ key, keyId, repository: "web" });
const ci = new ApiToken("ci", { orgCapabilities: { apiTokens: ["read"] }, expiresIn: "90d", sealFor });
new ActionsSecret("token", { repository: "web", secretName: "TOKEN", encryptedValue: ci.sealedFor(sealFor) });
export const { fingerprint } = ci;
`,
  "publicKey.js": `const { readFileSync } = require("node:fs");
exports.create = async ({ repository }) => ({ id: "7", outs: { repository, keyId: "7", key: readFileSync("public.key", "utf8") } });
`,
  "actionsSecret.js": "exports.create = async (inputs) => ({ id: inputs.secretName, outs: inputs });\n",
  "public.key": publicKey,
});

test("GitHub Actions: the secret is sealed for the repository's key, and GitHub opens it; an invalid key fails the update before a token is created", async () => {
  const key = await boxKey();
  const zero = Buffer.alloc(32).toString("base64");
  await using deployment = await createDeployment({ program: github(zero) });
  const { workspace } = deployment;
  expect((await workspace.up({ expectFailure: true })).stdout).toContain(
    "sealFor cannot be used: nothing can be sealed for 7: its key is not a valid X25519 key",
  );
  expect(deployment.service.calls).toEqual([]);

  // The key is read when its resource is made, so it is made anew.
  await workspace.destroy();
  await workspace.writeFile("public.key", key.publicKey);
  await workspace.up();
  const { outputs } = await deployment.resource("ActionsSecret", "token");
  const secret = await openSealed(String(outputs?.encryptedValue), key.privateKey);
  expect(await deployment.statusFor(secret)).toBe(200);
  expect(await deployment.traces(secret)).toEqual([]);
});
