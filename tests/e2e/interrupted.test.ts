import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";
import { ageTokens } from "../support/stackFiles";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

const program = {
  "index.js": `const { ApiToken } = require("pulumi-event-datasets");
exports.id = new ApiToken("ci", { orgCapabilities: { apiTokens: ["read"] } }).id;
`,
};

/** For a command that is killed: its hosts are processes of its own. */
const killable = { hosts: "engine" } as const;

/** The processes that host dynamic providers; the language host is the engine's own matter. */
async function providersAmong(pids: readonly number[]): Promise<string[]> {
  if (pids.length === 0) return [];
  // ps fails when none of them is left.
  const { stdout } = await promisify(execFile)("ps", ["-o", "args=", "-p", pids.join(",")]).catch(() => ({
    stdout: "",
  }));
  return stdout.split("\n").filter((line) => line.includes("dynamic-provider"));
}

/** Waits until something holds; the test's own time limit ends it. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(100);
}

test("after a kill −9 in the middle of a create, the provider exits, the state names the token, and the next update says so", async () => {
  await using deployment = await createDeployment({ program });
  const { workspace, service } = deployment;
  service.inject({ method: "POST", path: "/v2/tokens", action: { kind: "delay", ms: 60_000 } });
  const update = await workspace.start(["up", "--yes", "--skip-preview"], killable);
  await until(() => service.tokens.list().length === 1);
  const providers = await providersAmong(await workspace.processes());
  expect(providers.length).toBeGreaterThan(0);
  update.kill("SIGKILL");

  await until(async () => (await providersAmong(await workspace.processes())).length === 0);

  const [orphan] = service.tokens.list();
  const { pending_operations: pending } = (await workspace.export()).deployment;
  expect(pending).toMatchObject([{ type: "creating", resource: { inputs: { name: orphan?.name } } }]);

  await workspace.run(["cancel", "--yes"], { expectFailure: "either" });
  const { stdout, stderr } = await workspace.up();
  expect(stdout + stderr).toContain("::pulumi-nodejs:event-datasets:ApiToken::ci");
  // Nothing is sent again on behalf of the interrupted update, and the new token has another name.
  expect(service.tokens.list()).toHaveLength(2);
  expect(new Set(service.tokens.list().map(({ name }) => name)).size).toBe(2);
});

test("after an interrupted destroy an update names the tokens that are already revoked, and a refresh fixes the state", async () => {
  const env = { EVENT_DATASETS_PROFILE: "extended" };
  await using deployment = await createDeployment({ program, env, serviceOptions: { profile: "extended" } });
  const { workspace, service } = deployment;
  await workspace.up();
  const [token] = service.tokens.list();
  service.inject({ method: "DELETE", path: "/v2/tokens/*", action: { kind: "delay", ms: 60_000 } });
  const destroy = await workspace.start(["destroy", "--yes", "--skip-preview"], killable);
  await until(() => service.tokens.list().length === 0);
  destroy.kill("SIGKILL");
  await until(async () => (await providersAmong(await workspace.processes())).length === 0);
  await workspace.run(["cancel", "--yes"], { expectFailure: "either" });

  const { stdout } = await workspace.preview();
  expect(stdout).toContain(
    `(id ${token?.id}) is in the state but no longer exists. To create it again, run "pulumi refresh"`,
  );
  await ageTokens(workspace);
  await workspace.refresh();
  await workspace.up();
  expect((await workspace.outputs()).id).toBe(service.tokens.list()[0]?.id);
});
