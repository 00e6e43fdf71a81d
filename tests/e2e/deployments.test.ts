import { expect, test } from "@jest/globals";
import { createDeployment, type Deployment } from "../support/deployment";

const exportStatement = (name: string) =>
  `${name}: { annotationId: ${name}.annotationId, recorded: ${name}.recorded, time: ${name}.time, endTime: ${name}.endTime }`;

/** Declares markers by their names, each after the one before. */
const program = (markers: Readonly<Record<string, string>>, first = "[]") => {
  const names = Object.keys(markers);
  const declared = Object.entries(markers).map(([name, args], at) => {
    const dependsOn = at === 0 ? first : names[at - 1];
    return `const ${name} = new DeploymentAnnotation("${name}", { datasets: ["${name}"], ${args} }, { dependsOn: ${dependsOn} });`;
  });
  return {
    "index.ts": `import { ApiToken, DeploymentAnnotation } from "pulumi-event-datasets";
${declared.join("\n")}
export const markers = { ${names.map(exportStatement).join(", ")} };
`,
  };
};

const token = '[new ApiToken("app", { expiresAt: "2030-01-01T00:00:00Z" })]';

interface Marker {
  readonly annotationId?: string;
  readonly recorded: unknown;
  readonly time: string;
  readonly endTime: string;
}

const outputsOf = async ({ workspace }: Deployment) => (await workspace.outputs()).markers as Record<string, Marker>;

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
  const source = program({ web: "", runs: 'per: "run"' }, token);
  await using deployment = await createDeployment({ program: source });
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
  expect(await outputsOf(deployment)).toMatchObject({ web: { annotationId: made?.id, recorded: true } });

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

test("an annotation that may have arrived is not sent again in the update: it warns, or fails if it is required, and the next one sends that", async () => {
  const source = program({ web: "", needed: "required: true" });
  await using deployment = await createDeployment({ program: source, env: run("1", "a") });
  const { workspace, service } = deployment;
  // Refused is something else: it fails the update, required or not.
  const refused = await workspace.up({ env: { EVENT_DATASETS_ACCESS_TOKEN: "xaat-wrong" }, expectFailure: true });
  expect(refused.stdout).toContain("is not valid");
  expect(refused.stdout).toContain("DeploymentAnnotation (web)");
  expect(refused.stdout).not.toContain("DeploymentAnnotation (needed)");

  service.inject({ method: "POST", path: "/v2/annotations", times: 2, action: { kind: "close-before-response" } });
  const { stdout } = await workspace.up({ expectFailure: true });
  const problem = "The annotation may exist; it was not sent again.";
  expect(stdout).toMatch(new RegExp(`warning: the annotation of the deployment .*${problem}`));
  expect(stdout).toMatch(new RegExp(`DeploymentAnnotation \\(needed\\):\\s+error: .*${problem}`, "s"));
  await workspace.up();
  expect(await outputsOf(deployment)).toMatchObject({ web: { recorded: "unknown" }, needed: { recorded: true } });
  await workspace.up({ args: ["--expect-no-changes"] });
  await workspace.destroy();
  expect(titles(deployment)).toEqual({ web: [expect.any(String)], needed: [expect.any(String), expect.any(String)] });
});
