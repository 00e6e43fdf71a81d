import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { createDeployment, type Deployment, startTemporaryEmulator } from "../support/deployment";
import { createWorkspace } from "../support/engine";
import { CHECKOUT } from "../support/program";
import { shareProgramHost } from "../support/programHost";

shareProgramHost();

/** The root program with what the engine needs beside it. */
async function quickStart() {
  const files = ["index.ts", "Pulumi.yaml"];
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(join(CHECKOUT, file), "utf8")] as const)),
  );
}

test("the quick start deploys with the package packed, finds nothing to do then, and comes down", async () => {
  await using deployment = await createDeployment({ program: await quickStart(), installation: "packed" });
  const { workspace } = deployment;
  await workspace.up();
  await expectQuickStart(deployment);
  await workspace.up({ args: ["--expect-no-changes"] });
  await workspace.refresh({ args: ["--expect-no-changes"] });
  await workspace.destroy();
  expect(deployment.writes().sort()).toEqual(["POST /v2/annotations 201", "POST /v2/tokens 200"]);
});

test("the quick start deploys with the package linked, as in a checkout", async () => {
  await using deployment = await createDeployment({ program: await quickStart() });
  await deployment.workspace.up();
  await expectQuickStart(deployment);
});

async function expectQuickStart({ service, workspace, traces }: Deployment): Promise<void> {
  const { token, ...outputs } = await workspace.outputs({ showSecrets: true });
  const [live] = service.tokens.list();
  const [marker] = service.annotations.list();
  expect(outputs).toEqual({
    tokenId: live?.id,
    tokenName: live?.name,
    tokenNames: [live?.name],
    annotationId: marker?.id,
  });
  expect(marker).toMatchObject({
    datasets: ["deploys"],
    title: "Deployed pulumi-event-datasets to dev",
    type: "deploy",
  });
  expect(await traces(String(token))).toEqual([]);
}

test("the ES module example awaits a lookup before it declares anything", async () => {
  await using deployment = await createDeployment({ program: join(CHECKOUT, "examples/esm"), programHost: "engine" });
  const { workspace, service } = deployment;
  await workspace.up();
  const [marker] = service.annotations.list();
  expect(await workspace.outputs()).toEqual({ before: 0, annotationId: marker?.id });
  expect(marker).toMatchObject({ title: "0 tokens before this update" });
  await workspace.up({ args: ["--expect-no-changes"] });
});

test("the rotation example makes a token with an end, and a new one for a new generation", async () => {
  await using deployment = await createDeployment({ program: join(CHECKOUT, "examples/rotation") });
  const { workspace, service } = deployment;
  await workspace.up();
  await workspace.up({ args: ["--expect-no-changes"] });
  const { fingerprint } = await workspace.outputs();
  await workspace.setConfig("generation", "2");
  await workspace.up();
  expect((await workspace.outputs()).fingerprint).not.toBe(fingerprint);
  expect(service.tokens.list()).toMatchObject([{ expiresAt: expect.any(String) }, { expiresAt: expect.any(String) }]);
});

test("the annotate-only example marks each commit once", async () => {
  const env = { GITLAB_CI: "true", CI_COMMIT_SHA: "c".repeat(40), GITLAB_USER_LOGIN: "ada" };
  await using deployment = await createDeployment({ program: join(CHECKOUT, "examples/annotate-only"), env });
  const { workspace, service } = deployment;
  await workspace.up();
  const [marker] = service.annotations.list();
  expect(marker).toMatchObject({ datasets: ["web", "api"], title: "Deploy annotate-only to dev (ccccccc)" });
  expect(await workspace.outputs()).toMatchObject({ annotationId: marker?.id });
  await workspace.up({ args: ["--expect-no-changes"] });
});

test("the two-accounts example keeps each account's credential to its own address", async () => {
  await using staging = await startTemporaryEmulator();
  await using production = await startTemporaryEmulator();
  await using workspace = await createWorkspace({ program: join(CHECKOUT, "examples/two-accounts") });
  for (const [account, service] of Object.entries({ staging, production })) {
    await workspace.setConfig(`${account}Url`, service.url);
    await workspace.setConfig(`${account}Token`, service.rootToken, { secret: true });
  }
  await workspace.up();
  await workspace.up({ args: ["--expect-no-changes"] });
  await workspace.refresh({ args: ["--expect-no-changes"] });
  const { tokenIds, tokenNames } = await workspace.outputs();
  for (const [account, service] of Object.entries({ staging, production })) {
    const [live] = service.tokens.list();
    expect(tokenIds).toMatchObject({ [account]: live?.id });
    expect(tokenNames).toMatchObject({ [account]: [live?.name] });
    expect(service.calls.filter(({ status }) => status === 401)).toEqual([]);
  }
});
