import { createHash } from "node:crypto";
import { access } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import type { Emulator, EmulatorOptions } from "../../emulator";
import { readMarkdown } from "../docs/markdown";
import { examplesIn } from "../docs/suites";
import { buildAge } from "../support/age";
import { startTemporaryEmulator } from "../support/deployment";
import { readTyped, readTypedJson, typeExamples, writeOutputs } from "../support/examples";
import { findSecret } from "../support/secrets";

// Every command of the READMEs, typed into a copy of the example's folder with the packages as they are published; `npm install`
// links them. The lines of the expected output must be in the output. Then the tests look at what the README does not show. That
// the next update finds nothing to do is the matter of the suites about resources.

const here = examplesIn("tests/e2e/examples");

const type = typeExamples();

const startService = (options: Partial<EmulatorOptions> = {}): Promise<Emulator> =>
  startTemporaryEmulator({ profile: "extended", rootToken: "xaat-local", ...options });

const aFingerprint = expect.stringMatching(/^[0-9a-f]{12}$/);

test.each(here)("the README of %s says what it shows, what it needs, the commands and the output", (name) => {
  const { text } = readMarkdown(`examples/${name}/README.md`);
  expect(text.match(/^## .*$/gm)).toEqual([
    "## What it shows",
    "## What you need",
    "## Commands",
    "## Expected output",
  ]);
});

test.each(["automation", "unit-tests"])("%s runs as its README says", async (name) => {
  await using service = await startService();
  await using _ = await type(name, { service });
});

test("migrate-dynamic runs as its README says: the token is unchanged, its secret gets encrypted, and the way back works", async () => {
  await using service = await startService();
  const afterwards = `cd before
pulumi refresh --expect-no-changes
pulumi stack output --json > hidden.json
pulumi stack output --json --show-secrets > after.json
pulumi stack export --file now.json
pulumi stack import --file before.json
cp ../index.ts .
pulumi stack output --json > back.json
pulumi up --expect-no-changes`;
  const replace = { "cp after/": "cp before/index.ts .\ncp after/" };
  await using typed = await type("migrate-dynamic", { service, replace, afterwards });
  const { token, ...others } = await readTypedJson(typed, "before/back.json");
  expect(await readTypedJson(typed, "before/after.json")).toEqual({ token, ...others });
  expect(await readTypedJson(typed, "before/hidden.json")).toEqual({ token: "[secret]", ...others });
  expect(await readTyped(typed, "before/before.json")).toContain(token); // in plain text, before the migration
  const now = await readTyped(typed, "before/now.json");
  expect(await findSecret({ texts: { now } }, token)).toEqual([]);
  expect(service.tokens.list()).toHaveLength(1);
  const writes = service.calls.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
  expect(writes).toEqual(["POST /v2/tokens"]);
});

test("canary runs as its README and the guide say", async () => {
  await using service = await startService();
  await using _ = await type("canary", { service }, "docs/guides/gate.md");
});

test("annotate-only runs as its README and the guide say, and marks each commit once", async () => {
  await using service = await startService({ profile: "documented" });
  const env = { GITLAB_CI: "true", CI_COMMIT_SHA: "c".repeat(40), GITLAB_USER_LOGIN: "ada" };
  // The guide's update is the second one of the commit.
  const replace = {
    "PROFILE=extended": "PROFILE=documented",
    "pulumi up --yes": "pulumi up --yes --expect-no-changes",
  };
  const options = { service, env, replace, afterwards: writeOutputs };
  await using typed = await type("annotate-only", options, "docs/guides/annotate.md");
  const [marker, ...others] = service.annotations.list().filter(({ datasets }) => String(datasets) !== "deploys");
  expect(marker).toMatchObject({ datasets: ["web", "api"], title: "Deploy annotate-only to dev (ccccccc)" });
  expect(others).toEqual([]);
  expect(await readTypedJson(typed)).toMatchObject({ annotationId: marker?.id });
});

test("environments runs as its README says: each service has a token, which may write only into its own dataset", async () => {
  await using service = await startService();
  await using typed = await type("environments", { service, afterwards: writeOutputs });
  const capabilities = service.tokens.list().map(({ datasetCapabilities }) => datasetCapabilities);
  expect(capabilities).toEqual(
    expect.arrayContaining([{ "web-staging": { ingest: ["create"] } }, { "api-staging": { ingest: ["create"] } }]),
  );
  const { secrets, fingerprints } = await readTypedJson(typed);
  expect(secrets).toEqual({ web: "[secret]", api: "[secret]" });
  expect(fingerprints).toEqual({ web: aFingerprint, api: aFingerprint });
});

test("esm runs as its README says: it awaits a lookup before it declares anything", async () => {
  await using service = await startService({ profile: "documented" });
  const replace = { "PROFILE=extended": "PROFILE=documented" };
  await using typed = await type("esm", { service, replace, afterwards: writeOutputs });
  const [marker] = service.annotations.list();
  expect(await readTypedJson(typed)).toEqual({ before: 0, annotationId: marker?.id });
  expect(marker).toMatchObject({ title: "0 tokens before this update" });
});

test("stack-reference runs as its README says: another stack reads the token, as a secret", async () => {
  await using service = await startService();
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

test("without-pulumi runs as its README says, and exits with 1 if the service refuses its token", async () => {
  await using service = await startService();
  const afterwards = `node report.ts > report.txt
EVENT_DATASETS_ACCESS_TOKEN=xaat-of-nobody node report.ts 2> refused.txt || echo "ended with $?"`;
  await using typed = await type("without-pulumi", { service, afterwards });
  expect(await readTyped(typed, "report.txt")).toBe("endless never expires\n");
  expect(typed.result.stdout).toMatch(/^ended with 1$/m);
  expect(await readTyped(typed, "refused.txt")).toContain("is not valid");
});

test("consumer runs as its README says, then recover finds no problem, and no file contains the secret", async () => {
  await using service = await startService();
  // grep fails if there is no leftover process.
  const replace = { "--stack prod": "--stack dev", "dynamic-provider'": "dynamic-provider' || true" };
  await using typed = await type(
    "consumer",
    { service, replace, afterwards: writeOutputs },
    "docs/guides/interruption.md",
  );
  expect(typed.result.stdout).toContain("no problems");
  expect(await readTypedJson(typed)).toMatchObject({ manifest: "[secret]" });
  const [secret = ""] = /xaat-[0-9a-f-]{36}/.exec(typed.result.stdout) ?? [];
  expect(await findSecret({ folders: [path.join(typed.folder, "..")] }, secret)).toEqual([]);
});

test("audit runs as its README says, and then the commands of its page revoke an undeclared token", async () => {
  await using service = await startService();
  await service.tokens.add([{ id: "0a1b2c", name: "by hand", orgCapabilities: {} }]);
  const replace = {
    "https://api.example.com": service.url,
    "ACCESS_TOKEN=…": "ACCESS_TOKEN=xaat-local",
    "--stack acme/web/prod --stack acme/web/dev": "--stack organization/audit/dev || test $? = 1",
    "--output table": "--output table || test $? = 1", // there are findings
    "revoke --from audit.json": "revoke --from audit.json --yes",
    "--all-stacks\n": "--all-stacks || test $? = 1\n",
  };
  const sections = ["Commands", "Expected output", "Auditing tokens", "Acting on findings"];
  await using typed = await type("audit", { service, replace, sections }, "docs/audit.md");
  expect(await readTyped(typed, "adopted.ts")).toContain('adopt: { id: "0a1b2c" }');
  expect(service.tokens.list()).toMatchObject([{ description: "Audits tokens in CI" }]);
  // The path that the example's policy names for editors.
  await access(path.join(typed.folder, "node_modules/pulumi-event-datasets/schemas/audit-policy.v1.json"));
});

test("queries runs as its README and the guide say", async () => {
  await using service = await startService();
  await using typed = await type("queries", { service, afterwards: writeOutputs }, "docs/guides/queries.md");
  expect(await readTypedJson(typed)).toEqual({
    failures: 1,
    slowest: [
      { service: "api", seconds: 30 },
      { service: "web", seconds: 12.5 },
    ],
    last: ["web", "api", "web"],
  });
  expect(service.annotations.list()).toMatchObject([{ title: "Deployed after 1 failed ones" }]);
  expect(typed.result.stdout).toMatch(/,api,30$/m);
  expect(typed.result.stdout.match(/_time: '2026-11-2/g)).toHaveLength(3);
});

test("rotation runs as its README says, and then a leaked token is replaced and another one revoked", async () => {
  await using service = await startService();
  await service.tokens.add([{ id: "0a1b2c", name: "by hand" }]);
  const replace = { "leaked=xaat-…": 'leaked="$(pulumi stack output token --show-secrets)"' };
  const options = { service, replace, afterwards: writeOutputs };
  await using typed = await type("rotation", options, "docs/guides/leakedToken.md");
  expect(typed.result.stdout).toMatch(/^40[13]$/m);
  const [fingerprint, found] = typed.result.stdout.match(/^[0-9a-f]{12}$/gm) ?? [];
  expect(found).toBe(fingerprint);
  expect((await readTypedJson(typed)).fingerprint).not.toBe(fingerprint);
  expect(service.tokens.list()).toMatchObject([{ expiresAt: expect.any(String) }]);
});

test("sealed runs as its README says: an operator opens the printed secret, and a cluster the one in its manifest", async () => {
  await using age = await buildAge();
  await using service = await startService();
  const afterwards = `${writeOutputs}pulumi stack output sealed > sealed.txt
age --decrypt --identity cluster.txt < sealed.txt 2> refused.txt || echo "ended with $?"
node -p 'JSON.parse(require("./outputs.json").manifest).data["token.age"]' | age --decrypt --identity cluster.txt > cluster.secret`;
  const options = {
    service,
    tools: [path.join(age.folder, "bin")],
    replace: { "key.txt": "operator.txt" },
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

test("two-accounts runs as its README says, and keeps each account's credential to its own address", async () => {
  await using staging = await startService({ rootToken: "xaat-staging", profile: "documented" });
  await using production = await startService({ rootToken: "xaat-production", profile: "documented" });
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
