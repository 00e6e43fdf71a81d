import { expect, test } from "@jest/globals";
import { readTyped, readTypedJson, startExampleService, typeExamples, writeOutputs } from "../../support/examples";

const type = typeExamples();

test.each(["automation", "unit-tests"])("%s runs as its README says", async (name) => {
  await using service = await startExampleService();
  await using _ = await type(name, { service });
});

test("esm runs as its README says: it awaits a lookup before it declares anything", async () => {
  await using service = await startExampleService({ profile: "documented" });
  const replace = { "PROFILE=extended": "PROFILE=documented" };
  await using typed = await type("esm", { service, replace, afterwards: writeOutputs });
  const [marker] = service.annotations.list();
  expect(await readTypedJson(typed)).toEqual({ before: 0, annotationId: marker?.id });
  expect(marker).toMatchObject({ title: "0 tokens before this update" });
});

test("without-pulumi runs as its README says, and exits with 1 if the service refuses its token", async () => {
  await using service = await startExampleService();
  const afterwards = `node report.ts > report.txt
EVENT_DATASETS_ACCESS_TOKEN=xaat-of-nobody node report.ts 2> refused.txt || echo "ended with $?"`;
  await using typed = await type("without-pulumi", { service, afterwards });
  expect(await readTyped(typed, "report.txt")).toBe("endless never expires\n");
  expect(typed.result.stdout).toMatch(/^ended with 1$/m);
  expect(await readTyped(typed, "refused.txt")).toContain("is not valid");
});

test("annotate-only runs as its README and the guide say, and marks each commit once", async () => {
  await using service = await startExampleService({ profile: "documented" });
  const env = { GITLAB_CI: "true", CI_COMMIT_SHA: "c".repeat(40), GITLAB_USER_LOGIN: "ada" };
  // The guide's update is the second one of the commit.
  const replace = {
    "PROFILE=extended": "PROFILE=documented",
    "pulumi up --yes": "pulumi up --yes --expect-no-changes",
  };
  const options = { service, env, replace, afterwards: writeOutputs };
  await using typed = await type("annotate-only", options, "docs/guides/annotate.md");
  const [marker, ...others] = service.annotations.list().filter(({ datasets }) => String(datasets) !== "deploys");
  expect(marker).toMatchObject({ datasets: ["web", "api"], title: "Deploy annotate-only to dev (ccccccc)" });
  expect(others).toEqual([]);
  expect(await readTypedJson(typed)).toMatchObject({ annotationId: marker?.id });
});

test("canary runs as its README and the guide say", async () => {
  await using service = await startExampleService();
  await using _ = await type("canary", { service, hooks: "engine" }, "docs/guides/gate.md");
});

test("queries runs as its README and the guide say", async () => {
  await using service = await startExampleService();
  await using typed = await type("queries", { service, afterwards: writeOutputs }, "docs/guides/queries.md");
  expect(await readTypedJson(typed)).toEqual({
    failures: 1,
    slowest: [
      { service: "api", seconds: 30 },
      { service: "web", seconds: 12.5 },
    ],
    last: ["web", "api", "web"],
  });
  expect(service.annotations.list()).toMatchObject([{ title: "Deployed after 1 failed ones" }]);
  expect(typed.result.stdout).toMatch(/^api +1$/m);
  expect(typed.result.stdout.match(/_time: '2026-11-2/g)).toHaveLength(3);
});
