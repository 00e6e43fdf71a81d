import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "@jest/globals";
import { cli } from "../support/cli";
import { createDeployment, makeByHand } from "../support/deployment";
import { openForTests } from "../support/suite";

// The locks and states that the engine writes. tests/cli/tokensRevoke*.test.ts have every reason.

const program = (...more: string[]) => `import { ApiToken } from "pulumi-event-datasets";
import * as pulumi from "@pulumi/pulumi";
new ApiToken("fine", { expiresAt: "2030-01-01T00:00:00Z" });
${more.join("\n")}
`;

const deployment = openForTests(() => createDeployment({ program: { "index.ts": program() }, profile: "extended" }));

async function run(...args: readonly string[]) {
  const { workspace } = deployment;
  return cli(args, { cwd: workspace.program, env: workspace.environment() });
}

const isLive = (id: string) => deployment.service.tokens.list().some((token) => token.id === id);

beforeAll(() => deployment.workspace.up());

test("the token of a create whose update is running, or left its lock, is not revoked; once the lock is gone, it is", async () => {
  const { workspace, service } = deployment;
  await workspace.writeFile("index.ts", program('new ApiToken("slow", { expiresAt: "2030-01-01T00:00:00Z" });'));
  service.inject({ method: "POST", path: "/v2/tokens", times: 1, action: { kind: "delay", ms: 120_000 } });
  const slow = () => service.tokens.list().find(({ name }) => String(name).startsWith("slow-"));
  const update = await workspace.start(["up", "--yes", "--skip-preview"], { hosts: "engine" });
  while (slow() === undefined) await sleep(50);
  const id = String(slow()?.id);

  const revoke = () => run("tokens", "revoke", "--id", id, "--yes");
  const during = await revoke();
  expect([during.code, during.stderr]).toEqual([
    2,
    expect.stringMatching(/e2e\/dev, .* is being updated since 20\d\d-/),
  ]);
  for (const option of ["--all-stacks", "--stack=dev"]) {
    const audit = await run("audit", option, "--output", "json");
    const rules = JSON.parse(audit.stdout).findings.flatMap((one: { rule: string; token: { id?: string } }) =>
      one.token.id === id ? [one.rule] : [],
    );
    expect(rules).toEqual(["orphaned", "updating"]);
  }

  update.kill("SIGKILL");
  await update.done;
  const locked = await revoke();
  expect([locked.code, locked.stderr]).toEqual([
    2,
    expect.stringContaining("if no update is running, run pulumi cancel"),
  ]);
  expect(isLive(id)).toBe(true);

  await workspace.run(["cancel", "--yes"]);
  expect(await revoke()).toMatchObject({ code: 0, stdout: `revoked ${id}\n` });
  expect(isLive(id)).toBe(false);
});

test("a token that a dynamic provider of the program manages is not revoked, even with --force", async () => {
  const { workspace, service } = deployment;
  const { id } = await makeByHand(service, { name: "of another tool", expiresAt: "2030-01-01T00:00:00Z" });
  const other = `const provider: pulumi.dynamic.ResourceProvider = { create: async () => ({ id: "${id}", outs: {} }) };
new (class extends pulumi.dynamic.Resource {})(provider, "other", {});`;
  await workspace.writeFile("index.ts", program(other));
  await workspace.up({ hosts: "engine" });
  const refused = await run("tokens", "revoke", "--id", id, "--yes", "--force");
  expect([refused.code, isLive(id)]).toEqual([2, true]);
  expect(refused.stderr).toContain("of type pulumi-nodejs:dynamic:Resource: remove it from its program instead");
});
