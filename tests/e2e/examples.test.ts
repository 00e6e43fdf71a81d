import { execFile } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Emulator, EmulatorOptions } from "../../emulator";
import { readMarkdown } from "../docs/markdown";
import { examplesIn } from "../docs/suites";
import { buildAge } from "../support/age";
import { startTemporaryEmulator } from "../support/deployment";
import { preinstall } from "../support/packed";
import { CHECKOUT } from "../support/program";
import { type Registry, startRegistry } from "../support/registry";
import { type TypedPage, type TypingOptions, typePages } from "../support/shellPage";

// Every command of the READMEs, typed into a copy of the example's folder with the packages as they are published. The lines
// of the expected output must be in the output.

const here = examplesIn("tests/e2e/examples");

let registry: Registry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(async () => {
  await registry?.[Symbol.asyncDispose]();
});

const startService = (options: Partial<EmulatorOptions> = {}): Promise<Emulator> =>
  startTemporaryEmulator({ profile: "extended", rootToken: "xaat-local", ...options });

const type = (name: string, options: TypingOptions, ...more: string[]): Promise<TypedPage> =>
  typePages([`examples/${name}/README.md`, ...more], {
    ...options,
    // The passphrase of "Before you start" in docs/examples.md.
    env: {
      PULUMI_CONFIG_PASSPHRASE: "example-secret",
      // `npm run check` checks the types of all examples at once.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      ...registry.env,
      ...options.env,
    },
    prepare: async (folder) => {
      await cp(path.join(CHECKOUT, "examples", name), folder, {
        recursive: true,
        filter: (file) => path.basename(file) !== "node_modules",
      });
      await preinstall(folder);
      await promisify(execFile)("git", ["init", "--quiet"], { cwd: folder });
    },
  });

test.each(here)("the README of %s says what it shows, what it needs, the commands and the output", (name) => {
  const { text } = readMarkdown(`examples/${name}/README.md`);
  expect(text.match(/^## .*$/gm)).toEqual([
    "## What it shows",
    "## What you need",
    "## Commands",
    "## Expected output",
  ]);
});

const plain = here.filter(
  (name) => !["audit", "consumer", "queries", "rotation", "sealed", "two-accounts"].includes(name),
);

/** Guides whose commands continue where the README ends. */
const guides: Readonly<Record<string, string>> = {
  "annotate-only": "docs/guides/annotate.md",
  canary: "docs/guides/gate.md",
};

test.each(plain)("%s runs as its README says", async (name) => {
  await using service = await startService();
  const guide = guides[name];
  await using _ = await type(name, { service }, ...(guide ? [guide] : []));
});

test("consumer runs as its README says, and then recover finds no problem", async () => {
  await using service = await startService();
  // grep fails if there is no leftover process.
  const replace = { "--stack prod": "--stack dev", "dynamic-provider'": "dynamic-provider' || true" };
  await using typed = await type("consumer", { service, replace }, "docs/guides/interruption.md");
  expect(typed.result.stdout).toContain("no problems");
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
  expect(await readFile(path.join(typed.folder, "adopted.ts"), "utf8")).toContain('adopt: { id: "0a1b2c" }');
  expect(service.tokens.list()).toMatchObject([{ description: "Audits tokens in CI" }]);
});

test.each(["extended", "documented"] as const)(
  "queries runs as its README and the guide say in the profile %s",
  async (profile) => {
    await using service = await startService({ profile });
    const replace: Record<string, string> = { "PROFILE=extended": `PROFILE=${profile}` };
    if (profile === "documented") {
      // Events get in by an address that the documented interface does not have.
      replace["curl --fail"] = ": curl";
      const [, events = ""] = /--json '(\[[^']*\])'/.exec(readMarkdown("examples/queries/README.md").text) ?? [];
      await service.ingest("deploys", JSON.parse(events));
    }
    await using typed = await type("queries", { service, replace }, "docs/guides/queries.md");
    expect(typed.result.stdout).toMatch(/,api,30$/m);
    expect(typed.result.stdout.match(/_time: '2026-11-2/g)).toHaveLength(3);
  },
);

test("rotation runs as its README says, and then a leaked token is replaced and another one revoked", async () => {
  await using service = await startService();
  await service.tokens.add([{ id: "0a1b2c", name: "by hand" }]);
  const replace = { "leaked=xaat-…": 'leaked="$(pulumi stack output token --show-secrets)"' };
  await using typed = await type("rotation", { service, replace }, "docs/guides/leakedToken.md");
  expect(typed.result.stdout).toMatch(/^40[13]$/m);
  const [fingerprint, found] = typed.result.stdout.match(/^[0-9a-f]{12}$/gm) ?? [];
  expect(found).toBe(fingerprint);
  expect(service.tokens.list()).toHaveLength(1);
});

test("sealed runs as its README says, and then age and the command line open the secret", async () => {
  await using age = await buildAge();
  await using service = await startService();
  const options = { service, tools: [path.join(age.folder, "bin")], replace: { "key.txt": "operator.txt" } };
  await using typed = await type("sealed", options, "docs/sealing.md");
  // The README, age and the command line print the same secret.
  const printed = typed.result.stdout.match(/xaat-[0-9a-f-]{36}/g) ?? [];
  expect(printed).toEqual(Array(3).fill(printed[0]));
});

test("two-accounts runs as its README says", async () => {
  await using staging = await startService({ rootToken: "xaat-staging" });
  await using production = await startService({ rootToken: "xaat-production" });
  const replace = { "127.0.0.1:7381": new URL(production.url).host };
  await using _ = await type("two-accounts", { service: staging, replace });
  for (const { calls } of [staging, production]) expect(calls.filter(({ status }) => status === 401)).toEqual([]);
});
