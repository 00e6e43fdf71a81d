import { createHash } from "node:crypto";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { buildAge } from "../../support/age";
import { readTyped, readTypedJson, startExampleService, typeExamples, writeOutputs } from "../../support/examples";
import { findSecret } from "../../support/secrets";

const type = typeExamples();

const aFingerprint = expect.stringMatching(/^[0-9a-f]{12}$/);

test("environments runs as its README says: each service has a token, which may write only into its own dataset", async () => {
  await using service = await startExampleService();
  await using typed = await type("environments", { service, afterwards: writeOutputs });
  const capabilities = service.tokens.list().map(({ datasetCapabilities }) => datasetCapabilities);
  expect(capabilities).toEqual(
    expect.arrayContaining([{ "web-staging": { ingest: ["create"] } }, { "api-staging": { ingest: ["create"] } }]),
  );
  const { secrets, fingerprints } = await readTypedJson(typed);
  expect(secrets).toEqual({ web: "[secret]", api: "[secret]" });
  expect(fingerprints).toEqual({ web: aFingerprint, api: aFingerprint });
});

test("rotation runs as its README says, and then a leaked token is replaced and another one revoked", async () => {
  await using service = await startExampleService();
  await service.tokens.add([{ id: "0a1b2c", name: "by hand" }]);
  const replace = {
    "leaked=xaat-…": 'leaked="$(pulumi stack output token --show-secrets)"',
    "revoke --id 0a1b2c": "revoke --id 0a1b2c --yes",
    "--all-stacks\n": "--all-stacks || test $? = 1\n",
  };
  const options = { service, replace, afterwards: writeOutputs };
  await using typed = await type("rotation", options, "docs/guides/leakedToken.md");
  expect(typed.result.stdout).toMatch(/^40[13]$/m);
  expect(typed.result.stdout).toMatch(/^stack organization\/rotation\/\w+\n {2}URN {3}urn:pulumi:/m);
  expect((await readTypedJson(typed)).fingerprint).toEqual(aFingerprint);
  expect(service.tokens.list()).toMatchObject([{ expiresAt: expect.any(String) }]);
});

test("sealed runs as its README says: an operator opens the printed secret, and a cluster the one in its manifest", async () => {
  await using age = await buildAge();
  await using service = await startExampleService();
  const afterwards = `${writeOutputs}pulumi stack output sealed > sealed.txt
age --decrypt --identity cluster.txt < sealed.txt 2> refused.txt || echo "ended with $?"
node -p 'JSON.parse(require("./outputs.json").manifest).data["token.age"]' | age --decrypt --identity cluster.txt > cluster.secret`;
  const options = {
    service,
    tools: [path.join(age.folder, "bin")],
    replace: { "key.txt": "operator.txt" },
    hooks: "engine" as const, // it loads an optional peer, which the example declares
    afterwards,
  };
  await using typed = await type("sealed", options, "docs/sealing.md");
  // The README, age and the command line print the same secret.
  const printed = typed.result.stdout.match(/xaat-[0-9a-f-]{36}/g) ?? [];
  const [secret = ""] = printed;
  expect(printed).toEqual(Array(3).fill(secret));
  expect(typed.result.stdout).toMatch(/^ended with 1$/m);
  expect(await readTyped(typed, "refused.txt")).toContain("no identity matched");
  expect(await readTyped(typed, "cluster.secret")).toBe(secret);
  const { manifest, fingerprint } = await readTypedJson(typed);
  expect(createHash("sha256").update(secret).digest("hex").slice(0, 12)).toBe(fingerprint);
  expect(JSON.parse(manifest).kind).toBe("ConfigMap");
  expect(await findSecret({ folders: [path.join(typed.folder, "../home")] }, secret)).toEqual([]);
  expect(service.tokens.list()).toHaveLength(1);
});

test("stack-reference runs as its README says: another stack reads the token, as a secret", async () => {
  await using service = await startExampleService();
  const afterwards = `for stack in tokens service; do
  pulumi --cwd $stack stack output --json > $stack.json
  pulumi --cwd $stack stack output --json --show-secrets > $stack.secrets.json
done`;
  await using typed = await type("stack-reference", { service, afterwards });
  const { webToken, webFingerprint } = await readTypedJson(typed, "tokens.secrets.json");
  expect(await readTypedJson(typed, "service.json")).toEqual({
    environment: { EVENTS_TOKEN: "[secret]" },
    fingerprint: webFingerprint,
  });
  expect(await readTypedJson(typed, "service.secrets.json")).toMatchObject({ environment: { EVENTS_TOKEN: webToken } });
});

test("two-accounts runs as its README says, and keeps each account's credential to its own address", async () => {
  await using staging = await startExampleService({ rootToken: "xaat-staging", profile: "documented" });
  await using production = await startExampleService({ rootToken: "xaat-production", profile: "documented" });
  const replace = { "127.0.0.1:7381": new URL(production.url).host };
  const afterwards = `${writeOutputs}pulumi refresh --expect-no-changes`;
  await using typed = await type("two-accounts", { service: staging, replace, afterwards });
  const { tokenIds, tokenNames } = await readTypedJson(typed);
  for (const [account, service] of Object.entries({ staging, production })) {
    const [live] = service.tokens.list();
    expect(tokenIds).toMatchObject({ [account]: live?.id });
    expect(tokenNames).toMatchObject({ [account]: [live?.name] });
    expect(service.calls.filter(({ status }) => status === 401)).toEqual([]);
  }
});
