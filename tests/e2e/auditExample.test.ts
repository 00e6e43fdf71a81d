import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { cli } from "../support/cli";
import { createDeployment } from "../support/deployment";
import { CHECKOUT } from "../support/program";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

test("the token of the audit example is sufficient for an audit, which sees what becomes of it", async () => {
  const program = path.join(CHECKOUT, "examples/audit");
  await using deployment = await createDeployment({ program });
  const { workspace, service } = deployment;
  await workspace.up();
  const { findings } = await workspace.outputs();
  let { auditorToken } = await workspace.outputs({ showSecrets: true });
  expect(findings).toEqual([]);
  expect(service.tokens.list()).toMatchObject([{ orgCapabilities: { apiTokens: ["read"] } }]);

  const state = path.join(workspace.temp, "state.json");
  await workspace.run(["stack", "export", "--file", state]);
  const audit = (...args: string[]) =>
    cli(["audit", "--state", state, ...args], {
      cwd: workspace.program, // where the example's policy is
      env: { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: String(auditorToken) },
    });
  expect(await audit()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^clean: 1 live token /m) });

  // In the documented profile a replaced token cannot be revoked: it stays valid, and its successor's state says so.
  const [old] = service.tokens.list();
  await workspace.writeFile("index.ts", (await readFile(path.join(program, "index.ts"), "utf8")).replace("90d", "80d"));
  await workspace.up();
  await workspace.run(["stack", "export", "--file", state]);
  const replaced = await audit("--output", "json");
  expect(replaced.code).toBe(0);
  expect(JSON.parse(replaced.stdout).findings).toMatchObject([{ rule: "retired", token: { id: old?.id } }]);
  await service.tokens.remove(String(old?.id));
  ({ auditorToken } = await workspace.outputs({ showSecrets: true }));

  const [auditor] = service.tokens.list();
  await service.tokens.change(String(auditor?.id), { expiresAt: "2040-01-01T00:00:00Z" });
  const later = await audit();
  expect(later.code).toBe(1);
  expect(later.stdout).toContain("expiresAt is 2040-01-01T00:00:00Z instead of");
  expect(later.stdout).toContain("long-lived");
  await service.tokens.change(String(auditor?.id), { orgCapabilities: { annotations: ["create"] } });
  expect(await audit()).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("lacks a capability") });
});
