import { access, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { linkedNpm } from "../../support/packages";
import { layOutPack } from "../../support/program";
import { findSecret } from "../../support/secrets";
import { readTyped, readTypedJson, startExampleService, typeExamples, typePages, writeOutputs } from "../pages";

const type = typeExamples();

test("migrate-dynamic runs as its README says: the token is unchanged, its secret gets encrypted, and the way back works", async () => {
  await using service = await startExampleService();
  await service.tokens.add([{ id: "0a1b2c", name: "by hand" }]);
  const afterwards = `cd before
pulumi refresh --expect-no-changes
pulumi stack output --json > hidden.json
pulumi stack output --json --show-secrets > after.json
pulumi stack export --file now.json
pulumi stack import --file before.json
cp ../index.ts .
pulumi stack output --json > back.json
pulumi up --expect-no-changes`;
  const adopt = "npx pulumi-event-datasets tokens adopt";
  const replace = { "cp after/": "cp before/index.ts .\ncp after/", [adopt]: `(cd before && ${adopt})` };
  const sections = ["Commands", "Expected output", "A token that nobody manages", "Remove everything"];
  const options = { service, replace, sections, afterwards };
  await using typed = await type("migrate-dynamic", options, "docs/guides/takeOver.md");
  expect(typed.result.stdout).toContain('adopt: { id: "0a1b2c" }');
  const { token, ...others } = await readTypedJson(typed, "before/back.json");
  expect(await readTypedJson(typed, "before/after.json")).toEqual({ token, ...others });
  expect(await readTypedJson(typed, "before/hidden.json")).toEqual({ token: "[secret]", ...others });
  expect(await readTyped(typed, "before/before.json")).toContain(token); // in plain text, before the migration
  const now = await readTyped(typed, "before/now.json");
  expect(await findSecret({ texts: { now } }, token)).toEqual([]);
  expect(service.tokens.list()).toHaveLength(2);
  const writes = service.calls.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
  expect(writes).toEqual(["POST /v2/tokens"]);
});

/** Kills an update after the service created the token, while the engine waits for the response. */
const interruptedUpdate = `npm install
pulumi stack init prod
pulumi up --yes > update.log 2>&1 &
until curl --silent --header "Authorization: Bearer xaat-local" "$EVENT_DATASETS_BASE_URL/v2/tokens" | grep -q ingest; do sleep 0.1; done
kill -KILL $!
wait $! || true
`;

test("the steps after an interrupted update lead back to a clean stack, and revoke the token that was left behind", async () => {
  await using service = await startExampleService();
  service.inject({ method: "POST", path: "/v2/tokens", action: { kind: "delay", ms: 60_000 } });
  // grep fails if there is no leftover process. Nobody is there to confirm the revocation.
  const paste = "sed -n 's/^  //p' recover.txt | sed 's/tokens revoke/& --yes/' > pasted.sh; bash -e pasted.sh";
  const replace = {
    "pulumi cancel --yes": `${interruptedUpdate}pulumi cancel --yes`,
    "recover --stack prod": `recover --stack prod > recover.txt || test $? = 1\n${paste}`,
    "dynamic-provider'": "dynamic-provider' || true",
  };
  const options = {
    service,
    replace,
    hosts: "engine" as const,
    sections: ["After an interrupted update", "Leftover processes"],
    afterwards: writeOutputs,
  };
  await using typed = await type("rotation", options, "docs/guides/troubleshooting.md");
  expect(await readTyped(typed, "recover.txt")).toContain("was created by an update that did not finish");
  const { fingerprint } = await readTypedJson(typed);
  expect(fingerprint).toMatch(/^[0-9a-f]{12}$/);
  expect(service.tokens.list()).toHaveLength(1);
});

test("the audit runs as the guide says, and then the commands of its page revoke an undeclared token", async () => {
  await using service = await startExampleService();
  await service.tokens.add([{ id: "0a1b2c", name: "by hand", orgCapabilities: {} }]);
  const replace = {
    "https://api.axiom.co": service.url,
    "ACCESS_TOKEN=…": "ACCESS_TOKEN=xaat-local",
    "--stack acme/web/prod --stack acme/web/dev": "--stack organization/audit/dev || test $? = 1",
    "--output table": "--output table || test $? = 1", // there are findings
    "revoke --id 0a1b2c": "revoke --id 0a1b2c --yes",
    "--all-stacks\n": "--all-stacks || test $? = 1\n",
  };
  const sections = [
    "1. Create its access token",
    "2. Run it once",
    "Audit: rules and reports",
    "Act on findings",
    "Remove everything",
  ];
  const pages = ["docs/guides/auditInCi.md", "docs/audit.md"];
  await using typed = await type("audit", { service, replace, sections }, ...pages);
  expect(await readTyped(typed, "adopted.ts")).toContain('adopt: { id: "0a1b2c" }');
  expect(service.tokens.list()).toMatchObject([{ description: "Audits tokens in CI" }]);
  // The path that the example's policy names for editors.
  await access(path.join(typed.folder, "node_modules/pulumi-event-datasets/schemas/audit-policy.v1.json"));
});

const policyProgram = {
  "Pulumi.yaml": "name: web\nruntime: nodejs\nmain: index.ts\n",
  "index.ts": `import { ApiToken } from "pulumi-event-datasets";\nnew ApiToken("ci", { expiresIn: "200d" });\n`,
  "package.json": JSON.stringify({
    private: true,
    dependencies: { "pulumi-event-datasets": "^1.0.0", "@pulumi/pulumi": "^3.216.0" },
  }),
  "event-datasets.audit.json": JSON.stringify({ version: 1, maxLifetime: "90d" }),
};

test("the same guide installs the policy pack, and the preview refuses a token with a long lifetime", async () => {
  const replace: Record<string, string> = { "pulumi preview": "pulumi stack init dev && ! pulumi preview" };
  await using typed = await typePages(["docs/guides/auditInCi.md"], {
    env: {
      PULUMI_CONFIG_PASSPHRASE: "policy",
      EVENT_DATASETS_BASE_URL: "http://127.0.0.1:9",
      EVENT_DATASETS_ACCESS_TOKEN: "xaat-local",
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    },
    npm: await linkedNpm(),
    replace,
    sections: ["Refuse a token before it exists"],
    prepare: async (folder) => {
      for (const [name, content] of Object.entries(policyProgram)) await writeFile(path.join(folder, name), content);
      // The host of the tests cannot start packs of the runtime nodejs.
      const pack = path.join(folder, "pack");
      await mkdir(pack);
      replace["node_modules/pulumi-event-datasets/audit/pack"] = await layOutPack(pack);
    },
  });
  expect(typed.result.stdout).toContain("error: preview failed");
});
