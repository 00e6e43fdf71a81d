import { expect, test } from "@jest/globals";
import { createDeployment, type Deployment } from "../support/deployment";

const program = `import { ApiToken, DeploymentAnnotation } from "pulumi-event-datasets";
const token = new ApiToken("app", { expiresAt: "2030-01-01T00:00:00Z" });
const web = new DeploymentAnnotation("web", { datasets: ["web"] }, { dependsOn: token });
new DeploymentAnnotation("runs", { datasets: ["runs"], per: "run" }, { dependsOn: web });
`;

/** The titles of what was recorded, by the dataset that each marker has for itself. */
function titles({ service }: Deployment): Record<string, unknown[]> {
  const all = service.annotations.list().map(({ datasets, title }) => [String(datasets), title] as const);
  const names = [...new Set(all.map(([name]) => name))];
  return Object.fromEntries(
    names.map((name) => [name, all.filter((one) => one[0] === name).map(([, title]) => title)]),
  );
}

/** The environment of a GitHub Actions run. */
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

const milliseconds = ({ time, endTime }: Record<string, unknown>) =>
  Date.parse(String(endTime)) - Date.parse(String(time));

test("a deployment annotation spans all of its dependencies; there is one for each commit, or for each run", async () => {
  await using deployment = await createDeployment({ program: { "index.ts": program } });
  const { workspace, service } = deployment;

  // A dependency that fails leaves no annotation.
  service.inject({ method: "POST", path: "/v2/tokens", action: { kind: "status", status: 400 } });
  await workspace.up({ env: run("77", "a"), expectFailure: true });
  expect(service.annotations.list()).toEqual([]);

  service.inject({ method: "POST", path: "/v2/tokens", action: { kind: "delay", ms: 1_500 } });
  await workspace.up({ env: run("77", "a") });
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
  expect((await deployment.resource("DeploymentAnnotation", "web")).outputs).toMatchObject({
    annotationId: made?.id,
    recorded: true,
  });

  const [a, b] = ["Deploy e2e to dev (aaaaaaa)", "Deploy e2e to dev (bbbbbbb)"];
  await workspace.up({ env: run("78", "a") });
  expect(titles(deployment)).toEqual({ web: [a], runs: [a, a] });
  await workspace.up({ env: run("78", "a"), args: ["--refresh", "--expect-no-changes"] });
  await workspace.up({ env: run("79", "b") });
  await workspace.destroy({ env: run("80", "b") });
  expect(titles(deployment)).toEqual({ web: [a, b], runs: [a, a, b] });
  expect(service.annotations.list()[0]).toEqual(made);
  const sent = deployment.writes().filter((call) => call.includes("annotations"));
  expect(sent).toEqual(Array(5).fill("POST /v2/annotations 201"));
});
