import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { createDeployment, startTemporaryEmulator } from "../support/deployment";
import { createWorkspace } from "../support/engine";
import { CHECKOUT, writeProgram } from "../support/program";
import { shareProgramHost } from "../support/programHost";

shareProgramHost();

// The outputs and the tokens of examples, in more detail than their READMEs show them (examples.test.ts).

const folderOf = (name: string) => join(CHECKOUT, "examples", name);

test("the environments example creates a token for each service, which may write only into its own dataset", async () => {
  await using deployment = await createDeployment({
    program: folderOf("environments"),
    stack: "staging",
    serviceOptions: { profile: "extended" },
    env: { EVENT_DATASETS_PROFILE: "extended" },
  });
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

test("the consumer example, whose package is one link to a folder, returns the manifest of a Kubernetes Secret as a secret", async () => {
  await using deployment = await createDeployment({
    program: folderOf("consumer"),
    installation: "one link",
    programHost: "engine",
  });
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
  await using service = await startTemporaryEmulator({ profile: "extended" });
  const env = {
    EVENT_DATASETS_BASE_URL: service.url,
    EVENT_DATASETS_ACCESS_TOKEN: service.rootToken,
    EVENT_DATASETS_PROFILE: "extended",
  };
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

test("the client alone reports tokens without an expiry, and exits with 1 if the service refuses its token", async () => {
  await using workspace = await createWorkspace({ program: folderOf("without-pulumi") });
  await using service = await startTemporaryEmulator();
  const connection = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: service.rootToken };
  const run = (more: Record<string, string>) =>
    promisify(execFile)(process.execPath, ["report.ts"], { cwd: workspace.program, env: { ...process.env, ...more } });
  await service.tokens.add([{ name: "endless" }]);
  expect((await run(connection)).stdout).toBe("endless never expires\n");
  await expect(run({ ...connection, EVENT_DATASETS_ACCESS_TOKEN: "xaat-of-nobody" })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is not valid"),
  });
});
