import { access } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { readTyped, readTypedJson, startExampleService, typeExamples, writeOutputs } from "../../support/examples";
import { findSecret } from "../../support/secrets";

const type = typeExamples();

test("migrate-dynamic runs as its README says: the token is unchanged, its secret gets encrypted, and the way back works", async () => {
  await using service = await startExampleService();
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

test("consumer runs as its README says, then recover finds no problem, and no file contains the secret", async () => {
  await using service = await startExampleService();
  // grep fails if there is no leftover process.
  const replace = { "--stack prod": "--stack dev", "dynamic-provider'": "dynamic-provider' || true" };
  await using typed = await type(
    "consumer",
    // The guide looks for the engine's hosts.
    { service, replace, afterwards: writeOutputs, hooks: "engine" },
    "docs/guides/interruption.md",
  );
  expect(typed.result.stdout).toContain("no problems");
  expect(await readTypedJson(typed)).toMatchObject({ manifest: "[secret]" });
  const [secret = ""] = /xaat-[0-9a-f-]{36}/.exec(typed.result.stdout) ?? [];
  expect(await findSecret({ folders: [path.join(typed.folder, "..")] }, secret)).toEqual([]);
});

test("audit runs as its README says, and then the commands of its page revoke an undeclared token", async () => {
  await using service = await startExampleService();
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
