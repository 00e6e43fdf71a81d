import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "@jest/globals";
import { environmentOf } from "../../emulator/emulator";
import { cli } from "../support/cli";
import type { CommandResult } from "../support/command";
import { createDeployment, makeByHand } from "../support/deployment";
import { stateFile } from "../support/stack";
import { openForTests } from "../support/suite";

// The states that the engine writes. tests/audit has every rule.

const args = `orgCapabilities: { annotations: ["create"], apiTokens: ["read"] }, expiresAt: "2030-01-01T00:00:00Z"`;
const declare = (...names: string[]) => names.map((name) => `new ApiToken("${name}", { ${args} });`).join("\n");
const program = (...more: string[]) => `import { ApiToken } from "pulumi-event-datasets";
import * as pulumi from "@pulumi/pulumi";
${declare("fine", "gone", "stronger", ...more)}
new ApiToken("hidden", { expiresAt: "2030-01-01T00:00:00Z", description: pulumi.secret("canary-description-1") });
`;

interface Report {
  readonly summary: Record<string, unknown>;
  readonly findings: readonly {
    readonly rule: string;
    readonly severity: string;
    readonly token: { readonly name?: string };
    readonly declared?: { readonly urn: string };
  }[];
}

const deployment = openForTests(() => createDeployment({ program: { "index.ts": program() } }));
let exported: string;

/** Runs the audit as CI does: without the key of the secrets, and with no more of the environment than it needs. */
async function audit(cwd: string, ...args: readonly string[]): Promise<CommandResult> {
  const { workspace, service } = deployment;
  return cli(["audit", ...args], {
    cwd,
    env: {
      HOME: workspace.home,
      PULUMI_HOME: workspace.home,
      PULUMI_BACKEND_URL: `file://${workspace.backend}`,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      ...environmentOf(service),
    },
  });
}

const idOf = (logicalName: string) => {
  const found = deployment.service.tokens.list().find(({ name }) => String(name).startsWith(`${logicalName}-`));
  return String(found?.id);
};

/** The findings without what differs from run to run, by rule and name. */
const told = ({ findings }: Report) =>
  findings
    .map(({ rule, severity, token, declared }) => {
      const name = token.name?.replace(/-[0-9a-f]{7}$/, "-…");
      return `${severity} ${rule} ${name} ${declared?.urn.split("::").at(-1) ?? "-"}`;
    })
    .sort();

const found = [
  "error escalated stronger-… stronger",
  "error missing gone-… gone",
  "error orphaned orphan-… orphan",
  "error undeclared by hand -",
  "warning over-privileged stronger-… stronger",
  "warning pending nothing-… nothing",
];

beforeAll(async () => {
  const { workspace, service } = deployment;
  await workspace.up();
  await service.tokens.remove(idOf("gone"));
  const orgCapabilities = { annotations: ["create"], apiTokens: ["read"], rbac: ["create"] };
  await service.tokens.change(idOf("stronger"), { orgCapabilities });
  await makeByHand(service, { name: "by hand", expiresAt: "2030-01-01T00:00:00Z" });

  // Killed while the service works on two creates. The second one's token goes, as if its request had never arrived.
  await workspace.writeFile("index.ts", program("orphan", "nothing"));
  service.inject({ method: "POST", path: "/v2/tokens", times: 2, action: { kind: "delay", ms: 60_000 } });
  const before = service.tokens.list().length;
  const update = await workspace.start(["up", "--yes", "--skip-preview"], { hosts: "engine" });
  while (service.tokens.list().length < before + 2) await sleep(50);
  update.kill("SIGKILL");
  await update.done;
  exported = path.join(workspace.temp, "exported.json");
  await workspace.run(["stack", "export", "--file", exported]);
  await service.tokens.remove(idOf("nothing"));
});

test("the audit finds what differs between live and declared tokens, in the stack and in each file of its state, and prints no secret", async () => {
  const { workspace } = deployment;
  const checkpoint = await stateFile(workspace);
  expect(JSON.parse(await readFile(checkpoint, "utf8"))).toHaveProperty("checkpoint.latest");
  for (const args of [
    [],
    ["--stack", workspace.stack],
    ["--all-stacks"],
    ["--state", exported],
    ["--state", checkpoint],
  ]) {
    const { code, stdout, stderr } = await audit(workspace.program, ...args, "--output", "json");
    const report: Report = JSON.parse(stdout);
    // The killed engine left its lock, which a file of a state does not show.
    const locked = args.includes("--state") ? [] : ["warning updating orphan-… orphan"];
    expect([args, code, told(report)]).toEqual([args, 1, [...found, ...locked]]);
    expect(report.summary).toMatchObject({ live: 5, declared: 4 });
    expect(stdout + stderr).not.toContain("canary");
  }
});

test.each([
  ["a selected stack", () => deployment.workspace.temp, []],
  ["the named stack", () => deployment.workspace.program, ["--stack", "nobody"]],
])("without %s the audit exits with 2", async (_, folder, args) => {
  const { code, stdout, stderr } = await audit(folder(), ...args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).not.toContain("clean");
});
