import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { start } from "../support/command";
import { createDeployment, startTemporaryEmulator } from "../support/deployment";
import { createWorkspace } from "../support/engine";
import { CHECKOUT, writeProgram } from "../support/program";

// The examples that no other suite runs. Those that need a service of their own, a gate or another account: programs, queries,
// queryGate, auditExample, sealing.

const folderOf = (name: string) => join(CHECKOUT, "examples", name);

test("every example says in a README what it is and how to run it", () => {
  const examples = readdirSync(join(CHECKOUT, "examples"));
  expect(examples.filter((name) => !readdirSync(folderOf(name)).includes("README.md"))).toEqual([]);
});

test("the environments example makes a token for each service that can write into its own dataset alone", async () => {
  await using deployment = await createDeployment({ program: folderOf("environments"), stack: "staging" });
  const { workspace, service } = deployment;
  await workspace.run(["config", "set", "--path", "services[0]", "web"]);
  await workspace.run(["config", "set", "--path", "services[1]", "api"]);
  await workspace.up();
  await workspace.up({ args: ["--expect-no-changes"] });
  const capabilities = service.tokens.list().map(({ datasetCapabilities }) => datasetCapabilities);
  expect(capabilities).toEqual(
    expect.arrayContaining([{ "web-staging": { ingest: ["create"] } }, { "api-staging": { ingest: ["create"] } }]),
  );
  const { secrets, fingerprints } = await workspace.outputs();
  expect(secrets).toEqual({ web: "[secret]", api: "[secret]" });
  expect(fingerprints).toEqual({
    web: expect.stringMatching(/^[0-9a-f]{12}$/),
    api: expect.stringMatching(/^[0-9a-f]{12}$/),
  });
});

test("the consumer example, whose package is one link to a folder, hands the token on as the manifest of a Kubernetes Secret, which is a secret", async () => {
  await using deployment = await createDeployment({ program: folderOf("consumer"), installation: "one link" });
  const { workspace } = deployment;
  await workspace.up();
  await workspace.up({ args: ["--expect-no-changes"] });
  expect(await workspace.outputs()).toMatchObject({ manifest: "[secret]" });
  const { manifest, fingerprint } = await workspace.outputs({ showSecrets: true });
  const { kind, metadata, stringData } = JSON.parse(String(manifest));
  expect({ kind, metadata }).toEqual({
    kind: "Secret",
    metadata: {
      name: "shipper-token",
      namespace: "logging",
      annotations: { "example.com/fingerprint": fingerprint },
    },
  });
  expect(stringData.token).toMatch(/^xaat-/);
  expect(await deployment.traces(stringData.token)).toEqual([]);
});

test("the stack-reference example reads a token of another stack, as a secret", async () => {
  await using service = await startTemporaryEmulator();
  const env = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: service.rootToken };
  await using workspace = await createWorkspace({ program: folderOf("stack-reference/tokens"), env });
  await workspace.up();
  const tokens = await workspace.outputs({ showSecrets: true });
  // Another project of the same backend.
  const program = join(workspace.root, "service");
  await writeProgram(program, folderOf("stack-reference/service"), "linked");
  const inService = ["--cwd", program];
  await workspace.run([...inService, "stack", "init", "prod"]);
  await workspace.run([...inService, "config", "set", "tokens", "organization/tokens/dev"]);
  await workspace.run([...inService, "up", "--yes", "--skip-preview"]);
  const output = (...args: string[]) => workspace.run([...inService, "stack", "output", "--json", ...args]);
  expect(JSON.parse((await output()).stdout)).toEqual({
    environment: { EVENTS_TOKEN: "[secret]" },
    fingerprint: tokens.webFingerprint,
  });
  expect(JSON.parse((await output("--show-secrets")).stdout)).toMatchObject({
    environment: { EVENTS_TOKEN: tokens.webToken },
  });
});

test("the automation example deploys with no command line", async () => {
  await using deployment = await createDeployment({ program: folderOf("automation") });
  const { workspace, service } = deployment;
  const env = workspace.environment();
  const options = { cwd: workspace.program, env };
  const { code, stdout, stderr } = await (await start(process.execPath, ["deploy.ts", "staging"], options)).done;
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("Error") });
  expect(stdout).toMatch(/^succeeded: [0-9a-f]{12}, \{"create":2\}$/m);
  expect(service.tokens.list()).toHaveLength(1);
});

test("the unit-tests example passes its own tests, and the client alone reports what ends", async () => {
  await using workspace = await createWorkspace({ program: folderOf("unit-tests") });
  // jest sets it, and a runner within a runner reports otherwise
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: "" };
  const run = (args: string[], cwd: string, more = {}) =>
    promisify(execFile)(process.execPath, args, { cwd, env: { ...env, ...more } });
  const tested = await run(["--test", "--test-reporter=tap"], workspace.program);
  expect(tested.stdout).toMatch(/# pass 2[\s\S]*# fail 0/);

  await using service = await startTemporaryEmulator();
  const alone = join(workspace.root, "alone");
  await writeProgram(alone, folderOf("without-pulumi"), "linked");
  const connection = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: service.rootToken };
  await service.tokens.add([{ name: "endless" }]);
  expect((await run(["report.ts"], alone, connection)).stdout).toBe("endless never expires\n");
  await expect(
    run(["report.ts"], alone, { ...connection, EVENT_DATASETS_ACCESS_TOKEN: "xaat-of-nobody" }),
  ).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is not valid"),
  });
});
