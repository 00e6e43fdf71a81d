import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { cp } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Emulator, EmulatorOptions } from "../../emulator";
import { readMarkdown } from "../docs/markdown";
import { buildAge } from "../support/age";
import { startTemporaryEmulator } from "../support/deployment";
import { preinstall } from "../support/packed";
import { CHECKOUT } from "../support/program";
import { type Registry, startRegistry } from "../support/registry";
import { type TypedPage, type TypingOptions, typePages } from "../support/shellPage";

// Every command of the READMEs, typed into a copy of the example's folder with the packages as they are published. The lines
// of the expected output must be in the output.

/** Examples whose commands cannot run here, or run in another suite. */
const elsewhere: Readonly<Record<string, string>> = {
  audit: "needs a CI system; the program runs in e2e/auditExample",
  "ci-pipeline": "needs GitHub Actions; the workflow is checked in package/workflows",
  python: "runs in native/languages",
  go: "runs in native/languages",
  yaml: "runs in native/languages",
};

const here = readdirSync(path.join(CHECKOUT, "examples")).filter((name) => !(name in elsewhere));

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

const plain = here.filter((name) => !["queries", "rotation", "sealed", "two-accounts"].includes(name));

/** Guides whose commands go on where the README ends. */
const guides: Readonly<Record<string, string>> = {
  "annotate-only": "docs/guides/annotate.md",
  canary: "docs/guides/gate.md",
};

test.each(plain)("%s runs as its README says", async (name) => {
  await using service = await startService();
  const guide = guides[name];
  await using _ = await type(name, { service }, ...(guide ? [guide] : []));
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

test("sealed runs as its README says", async () => {
  await using age = await buildAge();
  await using service = await startService();
  await using _ = await type("sealed", { service, tools: [path.join(age.folder, "bin")] });
});

test("two-accounts runs as its README says", async () => {
  await using staging = await startService({ rootToken: "xaat-staging" });
  await using production = await startService({ rootToken: "xaat-production" });
  const replace = { "127.0.0.1:7381": new URL(production.url).host };
  await using _ = await type("two-accounts", { service: staging, replace });
  for (const { calls } of [staging, production]) expect(calls.filter(({ status }) => status === 401)).toEqual([]);
});
