import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { parse } from "yaml";
import { CHECKOUT } from "../../support/program";
import { readTyped, readTypedJson, startExampleService, typeExamples, writeOutputs } from "../pages";

const type = typeExamples();

test("automation runs as its README says, and its report exits with 1 if the service refuses the access token", async () => {
  await using service = await startExampleService();
  const afterwards = `EVENT_DATASETS_ACCESS_TOKEN=xaat-of-nobody node report.ts 2> refused.txt || echo "ended with $?"`;
  await using typed = await type("automation", { service, afterwards });
  expect(typed.result.stdout).toMatch(/^ended with 1$/m);
  expect(await readTyped(typed, "refused.txt")).toContain("is not valid");
});

test("unit-tests runs as its README and the guide say", async () => {
  await using _ = await type("unit-tests", {}, "docs/guides/testing.md");
});

test("annotate-only runs as its README and the guide say, and marks each commit once", async () => {
  await using service = await startExampleService({ profile: "documented" });
  const ci = { GITLAB_CI: "true", CI_COMMIT_SHA: "c".repeat(40), GITLAB_USER_LOGIN: "ada" };
  const env = { ...ci, EVENT_DATASETS_PROFILE: "documented" };
  // The guide's update is the second one of the commit.
  const replace = { "pulumi up --yes": "pulumi up --yes --expect-no-changes" };
  const options = { service, env, replace, afterwards: writeOutputs };
  await using typed = await type("annotate-only", options, "docs/guides/annotate.md");
  const [marker, ...others] = service.annotations.list().filter(({ datasets }) => String(datasets) !== "deploys");
  expect(marker).toMatchObject({ datasets: ["web", "api"], title: "Deploy annotate-only to dev (ccccccc)" });
  expect(others).toEqual([]);
  expect(await readTypedJson(typed)).toMatchObject({ annotationId: marker?.id });
});

// The value of the command's gate would have to hold for three minutes.
const quick = { "--for 10m --settle 3m": "--every 1s --settle 1s" };

test("canary runs as its README and the guide say", async () => {
  await using service = await startExampleService();
  await using _ = await type("canary", { service, hosts: "engine", replace: quick }, "docs/guides/gate.md");
});

test.each([
  ["GitHub Actions", "deploy.yml", { GITHUB_ACTIONS: "true", GITHUB_SHA: "d".repeat(40) }],
  ["GitLab", ".gitlab-ci.yml", { GITLAB_CI: "true", CI_COMMIT_SHA: "d".repeat(40) }],
])("the pipeline of %s deploys, and marks the run and the commit", async (_name, file, ci) => {
  await using service = await startExampleService();
  const { jobs, deploy } = parse(await readFile(path.join(CHECKOUT, "examples/annotate-only", file), "utf8"));
  const commands: string[] = deploy?.script ?? jobs.deploy.steps.flatMap(({ run }: { run?: string }) => run ?? []);
  const afterwards = ["pulumi stack init production", ...commands].join("\n").replace("npm ci", "npm install");
  await using _typed = await type("annotate-only", { service, env: ci, sections: [], afterwards });
  expect(service.annotations.list()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ datasets: ["deploys"], type: "deploy", title: expect.stringContaining("ddddddd") }),
      expect.objectContaining({ datasets: ["web", "api"], type: "deploy" }),
    ]),
  );
});
