import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { cli } from "../support/cli";
import type { CommandResult } from "../support/command";
import { createDeployment, type Deployment } from "../support/deployment";
import { CHECKOUT } from "../support/program";
import { schemaProblems } from "../support/schemas";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

const reportSchema = path.join(CHECKOUT, "audit/schemas/audit-report.v1.json");

const inDays = (days: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + days * 86_400_000).toISOString();

const soon = inDays(7);
const read = `orgCapabilities: { annotations: ["create"], apiTokens: ["read"] }, expiresAt: "2030-01-01T00:00:00Z"`;

const program = (more = "") => `import { ApiToken } from "pulumi-event-datasets";
import * as pulumi from "@pulumi/pulumi";
new ApiToken("fine", { ${read} });
new ApiToken("gone", { ${read} });
new ApiToken("weaker", { ${read} });
new ApiToken("stronger", { ${read} });
new ApiToken("old", { name: "old", expiresAt: "2020-06-01T00:00:00Z", adopt: { id: "${old}" } });
new ApiToken("soon", { expiresAt: "${soon}" });
new ApiToken("forever", {});
new ApiToken("hidden", { expiresAt: "2030-01-01T00:00:00Z", description: pulumi.secret("canary-description-1") });
${more}`;

interface Report {
  readonly summary: Record<string, unknown>;
  readonly failed: boolean;
  readonly findings: readonly {
    readonly rule: string;
    readonly severity: string;
    readonly token: { readonly id?: string; readonly name?: string };
    readonly declared?: { readonly stack: string; readonly urn: string };
    readonly differences?: readonly unknown[];
  }[];
}

let deployment: Deployment;
/** The id of the token that the program adopts. */
let old: string;
let reported: Report;
let exported: string;
let nothing: { readonly id: string; readonly name: string };
const run: CommandResult[] = [];

/** Runs the audit as CI does: no passphrase, no more of the environment than it needs. */
const audit = (...args: string[]) => auditIn(deployment.workspace.program, ...args);

async function auditIn(cwd: string, ...args: readonly string[]): Promise<CommandResult> {
  const { workspace, service } = deployment;
  const result = await cli(["audit", ...args], {
    cwd,
    env: {
      HOME: workspace.home,
      PULUMI_HOME: workspace.home,
      PULUMI_BACKEND_URL: `file://${workspace.backend}`,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      EVENT_DATASETS_BASE_URL: service.url,
      EVENT_DATASETS_ACCESS_TOKEN: service.rootToken,
    },
  });
  run.push(result);
  return result;
}

const live = (logicalName: string) => {
  const found = deployment.service.tokens.list().find(({ name }) => String(name).startsWith(`${logicalName}-`));
  if (!found) throw new Error(`there is no live token ${logicalName}`);
  return { id: String(found.id), name: String(found.name) };
};

async function addByHand(spec: object): Promise<string> {
  const { service } = deployment;
  const answer = await fetch(`${service.url}/v2/tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.rootToken}`, "content-type": "application/json" },
    body: JSON.stringify(spec),
  });
  return ((await answer.json()) as { id: string }).id;
}

/** The rules that this deployment triggers; other rules have tests of their own. */
const shown =
  /^(missing|escalated|undeclared|orphaned|changed|over-privileged|never-expires|expired|expiring|duplicate-name|pending|unknown)$/;

/** Findings of these rules without what differs from run to run, by rule and name. */
const told = (report: Report) =>
  report.findings
    .filter(({ rule }) => shown.test(rule))
    .map(
      ({ rule, severity, token, declared }) =>
        `${severity} ${rule} ${token.name} ${declared?.urn.split("::").at(-1) ?? "-"}`,
    );

beforeAll(async () => {
  let clock = new Date("2020-01-01T00:00:00Z");
  deployment = await createDeployment({
    program: { "index.ts": "" },
    secrets: "passphrase",
    serviceOptions: { now: () => clock },
  });
  const { workspace, service } = deployment;
  old = await addByHand({ name: "old", expiresAt: "2020-06-01T00:00:00Z" });
  await workspace.writeFile("index.ts", program());
  await workspace.up();
  clock = new Date(); // by now "old" has expired

  await service.tokens.remove(live("gone").id);
  await service.tokens.change(live("weaker").id, { orgCapabilities: { apiTokens: ["read"] } });
  await service.tokens.change(live("stronger").id, {
    orgCapabilities: { annotations: ["create"], apiTokens: ["read"], rbac: ["create"] },
  });
  for (const description of ["one", "two"])
    await addByHand({ name: "by hand", description, expiresAt: "2030-01-01T00:00:00Z" });

  // Killed while the service works on two creates. The second one's token goes, as if its request had never arrived.
  const created = { orphan: `new ApiToken("orphan", { ${read} });`, nothing: `new ApiToken("nothing", { ${read} });` };
  await workspace.writeFile("index.ts", program(`${created.orphan}\n${created.nothing}`));
  service.inject({ method: "POST", path: "/v2/tokens", times: 2, action: { kind: "delay", ms: 60_000 } });
  const before = service.tokens.list().length;
  const update = await workspace.start(["up", "--yes", "--skip-preview"]);
  while (service.tokens.list().length < before + 2) await sleep(50);
  update.kill("SIGKILL");
  await update.done;
  exported = path.join(workspace.temp, "exported.json");
  await workspace.run(["stack", "export", "--file", exported]);

  nothing = live("nothing");
  await service.tokens.remove(nothing.id);
  const result = await audit("--stack", workspace.stack, "--output", "json");
  if (result.code !== 1) throw new Error(`exit code ${result.code}: ${result.stderr}`);
  reported = JSON.parse(result.stdout);
});

afterAll(async () => deployment?.[Symbol.asyncDispose]());

test("the audit finds every kind of difference between live and declared tokens, each under its rule", () => {
  const url = deployment.service.url;
  expect(
    told(reported)
      .map((line) => line.replace(/-[0-9a-f]{7} /, "-… "))
      .sort(),
  ).toEqual([
    "error escalated stronger-… stronger",
    "error missing gone-… gone",
    "error orphaned orphan-… orphan",
    "error undeclared by hand -",
    "error undeclared by hand -",
    "note unknown hidden-… hidden",
    "warning changed weaker-… weaker",
    "warning duplicate-name by hand -",
    "warning expired old old",
    "warning expiring soon-… soon",
    "warning never-expires forever-… forever",
    "warning over-privileged stronger-… stronger",
    "warning pending nothing-… nothing",
  ]);
  expect(schemaProblems(JSON.parse(readFileSync(reportSchema, "utf8")), reported)).toEqual([]);
  expect(reported).toMatchObject({ version: 1, baseUrl: url, failed: true, failOn: "error" });
  expect(reported.summary).toMatchObject({ live: 10, declared: 8, findings: { error: 5, warning: 7, note: 1 } });
});

test("an exported state and a checkpoint file of the backend give the same report as the engine", async () => {
  const { workspace } = deployment;
  const checkpoint = path.join(workspace.backend, ".pulumi/stacks/e2e/dev.json");
  expect(JSON.parse(await readFile(checkpoint, "utf8"))).toHaveProperty("checkpoint.latest");
  for (const file of [exported, checkpoint]) {
    const { code, stdout } = await audit("--state", file, "--output", "json");
    expect(code).toBe(1);
    expect(told(JSON.parse(stdout))).toEqual(told(reported));
  }
});

test("without --state the audit reads the selected stack; without a selected stack it exits with 2", async () => {
  const { workspace } = deployment;
  const selected = await audit("--output", "json");
  expect(told(JSON.parse(selected.stdout))).toEqual(told(reported));
  for (const [cwd, args] of [
    [workspace.temp, []],
    [workspace.program, ["--stack", "nobody"]],
  ] as const) {
    const { code, stdout, stderr } = await auditIn(cwd, ...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).not.toContain("clean");
  }
});

test("--all-stacks gives the same report in every folder, and prints no secret", async () => {
  const { code, stdout, stderr } = await audit("--all-stacks", "--output", "json");
  expect([code, stderr]).toEqual([1, expect.stringContaining("exporting 1 stack")]);
  expect(told(JSON.parse(stdout))).toEqual(told(reported));
});
