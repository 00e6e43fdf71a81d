import { expect, test } from "@jest/globals";
import { refusedUrl } from "../support/client";
import { createDeployment, type Deployment } from "../support/deployment";

const program = (args = "", dependencies = "[]") => ({
  "index.ts": `import { ApiToken, DeploymentAnnotation } from "pulumi-event-datasets";
const deployed = new DeploymentAnnotation("deployed", { datasets: ["web"], ${args} }, { dependsOn: ${dependencies} });
export const { annotationId, recorded, time, endTime } = deployed;
`,
});

const token = '[new ApiToken("app", { expiresAt: "2030-01-01T00:00:00Z" })]';

/** What GitHub Actions says of a run. */
const run = (id: string, commit: string) => ({
  GITHUB_ACTIONS: "true",
  GITHUB_SERVER_URL: "https://github.com",
  GITHUB_REPOSITORY: "acme/web",
  GITHUB_RUN_ID: id,
  GITHUB_RUN_ATTEMPT: "1",
  GITHUB_SHA: commit.repeat(40),
  GITHUB_REF: "refs/heads/main",
  GITHUB_REF_NAME: "main",
  GITHUB_ACTOR: "alice",
});

const marker = ({ resource }: { resource: Deployment["resource"] }) => resource("DeploymentMarker", "deployed");

const milliseconds = ({ time, endTime }: Record<string, unknown>) =>
  Date.parse(String(endTime)) - Date.parse(String(time));

test("a deployment's annotation covers all that it depends on and says what was deployed, by whom and where", async () => {
  await using deployment = await createDeployment({ program: program("", token), env: run("77", "a") });
  const { workspace, service } = deployment;
  service.inject({ method: "POST", path: "/v2/tokens", action: { kind: "delay", ms: 1_500 } });
  await workspace.up();

  expect(deployment.writes()).toEqual(["POST /v2/tokens 200", "POST /v2/annotations 201"]);
  const [made] = service.annotations.list();
  expect(made).toEqual({
    id: expect.any(String),
    datasets: ["web"],
    title: "Deploy e2e to dev (aaaaaaa)",
    description: `Commit ${"a".repeat(40)} on main by alice\nGitHub Actions run 77.1\nPulumi stack e2e/dev`,
    type: "deploy",
    url: "https://github.com/acme/web/actions/runs/77/attempts/1",
    time: expect.any(String),
    endTime: expect.any(String),
  });
  expect(milliseconds(made ?? {})).toBeGreaterThanOrEqual(1_500);
  expect(await workspace.outputs()).toMatchObject({ annotationId: made?.id, recorded: true });
});

test("another commit gets another annotation and leaves the last one alone; another run of a commit gets none", async () => {
  await using deployment = await createDeployment({ program: program() });
  const { workspace, service } = deployment;
  await workspace.up({ env: run("1", "a") });
  const [first] = service.annotations.list();
  await workspace.up({ env: run("2", "a"), args: ["--expect-no-changes"] });
  await workspace.refresh({ env: run("2", "a"), args: ["--expect-no-changes"] });

  expect((await workspace.preview({ env: run("3", "b") })).stdout).toMatch(/DeploymentMarker deployed replace/);
  await workspace.up({ env: run("3", "b") });
  const all = service.annotations.list();
  expect(all.map(({ title }) => title)).toEqual(["Deploy e2e to dev (aaaaaaa)", "Deploy e2e to dev (bbbbbbb)"]);
  expect(all[0]).toEqual(first);
  await workspace.destroy({ env: run("4", "b") });
  expect(deployment.writes()).toEqual(["POST /v2/annotations 201", "POST /v2/annotations 201"]);
});

test('per: "run" gives every CI run an annotation', async () => {
  await using deployment = await createDeployment({ program: program('per: "run"') });
  const { workspace, service } = deployment;
  for (const id of ["1", "2"]) await workspace.up({ env: run(id, "a") });
  await workspace.up({ env: run("2", "a"), args: ["--expect-no-changes"] });
  expect(service.annotations.list()).toHaveLength(2);
});

test("a service that is down does not stop the deployment: the next update sends the range that was recorded", async () => {
  await using deployment = await createDeployment({ program: program(), env: run("1", "a") });
  const { workspace, service } = deployment;
  const down = { EVENT_DATASETS_BASE_URL: refusedUrl };
  const { stdout } = await workspace.up({ env: down });
  expect(stdout).toMatch(/warning: .* is not recorded\. .*could not connect .*The next "pulumi up" sends it/s);
  const waiting = await marker(deployment);
  expect(waiting.id).toMatch(/^unrecorded-/);
  expect(waiting.outputs).toMatchObject({ recorded: false });
  const { time, endTime } = await workspace.outputs();

  expect((await workspace.preview()).stdout).toMatch(/DeploymentMarker deployed update/);
  await workspace.up();
  const [made] = service.annotations.list();
  const utc = (instant: unknown) => String(instant).replace(/\.?0*Z$/, "Z");
  expect([made?.time, made?.endTime]).toEqual([utc(time), utc(endTime)]);
  expect(await workspace.outputs()).toEqual({ annotationId: made?.id, recorded: true, time, endTime });
  await workspace.up({ args: ["--expect-no-changes"] });
  expect(deployment.writes()).toEqual(["POST /v2/annotations 201"]);
});

test("a marker that was never sent is sent when the next deployment takes its place", async () => {
  await using deployment = await createDeployment({ program: program() });
  const { workspace, service } = deployment;
  const down = { EVENT_DATASETS_BASE_URL: refusedUrl };
  await workspace.up({ env: { ...run("1", "a"), ...down } });
  await workspace.up({ env: run("2", "b") });
  expect(
    service.annotations
      .list()
      .map(({ title }) => title)
      .sort(),
  ).toEqual(["Deploy e2e to dev (aaaaaaa)", "Deploy e2e to dev (bbbbbbb)"]);
});

test("a required annotation fails the update when the service is down, and the next update makes it", async () => {
  await using deployment = await createDeployment({ program: program("required: true"), env: run("1", "a") });
  const { workspace, service } = deployment;
  const down = { EVENT_DATASETS_BASE_URL: refusedUrl };
  const { stdout } = await workspace.up({ env: down, expectFailure: true });
  expect(stdout).toContain("The annotation was not recorded.");
  await workspace.up();
  expect(service.annotations.list()).toHaveLength(1);
});

test("an annotation that may have arrived is warned about and never sent again", async () => {
  await using deployment = await createDeployment({ program: program(), env: run("1", "a") });
  const { workspace, service } = deployment;
  service.inject({ method: "POST", path: "/v2/annotations", action: { kind: "close-before-answer" } });
  expect((await workspace.up()).stdout).toContain("The annotation may exist; it was not sent again.");
  expect(await workspace.outputs()).toMatchObject({ recorded: "unknown" });
  await workspace.up({ args: ["--expect-no-changes"] });
  expect(service.annotations.list()).toHaveLength(1);
});

test("a required annotation that may have arrived fails one update, and is never sent again", async () => {
  await using deployment = await createDeployment({ program: program("required: true"), env: run("1", "a") });
  const { workspace, service } = deployment;
  service.inject({ method: "POST", path: "/v2/annotations", action: { kind: "close-before-answer" } });
  const { stdout } = await workspace.up({ expectFailure: true });
  expect(stdout).toContain("The annotation may exist; it was not sent again.");
  await workspace.up();
  expect(await workspace.outputs()).toMatchObject({ recorded: "unknown" });
  await workspace.up({ args: ["--expect-no-changes"] });
  await workspace.destroy();
  expect(service.annotations.list()).toHaveLength(1);
});

test("a refused annotation fails the update, required or not", async () => {
  await using deployment = await createDeployment({ program: program(), env: run("1", "a") });
  const { stdout } = await deployment.workspace.up({
    env: { EVENT_DATASETS_ACCESS_TOKEN: "xaat-wrong" },
    expectFailure: true,
  });
  expect(stdout).toContain("is not valid");
});

test("an explicit provider of the component is the provider of its marker", async () => {
  await using deployment = await createDeployment({
    program: {
      "index.ts": `import * as pulumi from "@pulumi/pulumi";
import { DeploymentAnnotation, Provider } from "pulumi-event-datasets";
const config = new pulumi.Config();
const provider = new Provider("own", { baseUrl: config.require("url"), accessToken: config.requireSecret("token") });
new DeploymentAnnotation("deployed", { datasets: ["web"], title: "1.4" }, { provider });
`,
    },
    env: { ...run("1", "a"), EVENT_DATASETS_BASE_URL: undefined, EVENT_DATASETS_ACCESS_TOKEN: undefined },
  });
  const { workspace, service } = deployment;
  await workspace.setConfig("url", service.url);
  await workspace.setConfig("token", service.rootToken, { secret: true });
  await workspace.up();
  expect(service.annotations.list()).toEqual([expect.objectContaining({ title: "1.4" })]);
  await workspace.destroy();
});

test("a dependency that fails leaves no annotation", async () => {
  await using deployment = await createDeployment({ program: program("", token), env: run("1", "a") });
  const { workspace, service } = deployment;
  service.inject({ method: "POST", path: "/v2/tokens", action: { kind: "status", status: 400 } });
  await workspace.up({ expectFailure: true });
  expect(service.annotations.list()).toEqual([]);
});

test("without git and CI there is one annotation, and a warning that says how to get more", async () => {
  await using deployment = await createDeployment({ program: program() });
  const { workspace, service } = deployment;
  expect((await workspace.up()).stdout).toContain("set the argument commit");
  await workspace.up({ args: ["--expect-no-changes"] });
  await workspace.writeFile("index.ts", program('commit: "1.4.2"')["index.ts"]);
  await workspace.up();
  expect(service.annotations.list().map(({ title }) => title)).toEqual([
    "Deploy e2e to dev",
    "Deploy e2e to dev (1.4.2)",
  ]);
});
