import { execFileSync } from "node:child_process";
import { beforeAll, expect, test } from "@jest/globals";
import { describeDeployment, detectSurroundings } from "../../provider/shared/deployment";
import { systemNames } from "../../provider/shared/deployment/systems";
import { readMarkdown } from "../docs/markdown";
import { makeFolder } from "../support/suite";
import { environments } from "./environments";

const empty = makeFolder();
const checkout = makeFolder();
let head: string;

const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: checkout, encoding: "utf8" }).trim();

beforeAll(() => {
  git("init", "--quiet", "--initial-branch=trunk");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.com");
  git("remote", "add", "origin", "https://ada:canary-secret@github.com/acme/web.git");
  git("commit", "--quiet", "--allow-empty", "--message", "first");
  head = git("rev-parse", "HEAD");
});

test.each(Object.entries(environments))("%s is recognised, and no credential is taken along", (_, { env, seen }) => {
  const at = detectSurroundings(env, empty);
  expect(at).toEqual(seen);
  expect(JSON.stringify([at, describeDeployment(at, "web", [])])).not.toContain("canary");
});

const known: readonly [system: string, env: Record<string, string>, seen: object][] = [
  [
    "Drone",
    {
      DRONE: "true",
      DRONE_COMMIT_SHA: "f".repeat(40),
      DRONE_BRANCH: "main",
      DRONE_SOURCE_BRANCH: "feature",
      DRONE_REPO_OWNER: "acme",
      DRONE_REPO_NAME: "web",
      DRONE_BUILD_NUMBER: "7",
      DRONE_PULL_REQUEST: "42",
      DRONE_BUILD_LINK: "https://drone.example.com/acme/web/7",
    },
    { branch: "feature", run: { id: "acme/web/7", url: "https://drone.example.com/acme/web/7" }, pullRequest: "42" },
  ],
  [
    "Travis CI",
    {
      TRAVIS: "true",
      TRAVIS_COMMIT: "f".repeat(40),
      TRAVIS_BRANCH: "main",
      TRAVIS_PULL_REQUEST: "false",
      ...{
        TRAVIS_REPO_SLUG: "acme/web",
        TRAVIS_BUILD_NUMBER: "7",
        TRAVIS_BUILD_WEB_URL: "https://travis.example.com/7",
      },
    },
    { branch: "main", run: { id: "acme/web/7", url: "https://travis.example.com/7" }, pullRequest: undefined },
  ],
  [
    "Woodpecker",
    {
      CI: "woodpecker",
      CI_COMMIT_SHA: "f".repeat(40),
      CI_COMMIT_BRANCH: "main",
      CI_PIPELINE_NUMBER: "7",
      CI_REPO_OWNER: "acme",
      CI_REPO_NAME: "web",
      CI_PIPELINE_URL: "https://woodpecker.example.com/7",
    },
    { branch: "main", run: { id: "acme/web/7", url: "https://woodpecker.example.com/7" } },
  ],
  [
    "Netlify",
    {
      NETLIFY: "true",
      COMMIT_REF: "f".repeat(40),
      HEAD: "main",
      DEPLOY_ID: "d7",
      SITE_NAME: "web",
      REPOSITORY_URL: "https://canary@github.com/acme/web",
    },
    {
      run: { id: "d7", url: "https://app.netlify.com/sites/web/deploys/d7" },
      repository: "https://github.com/acme/web",
    },
  ],
  ["Vercel", { VERCEL: "1", VERCEL_GIT_COMMIT_SHA: "f".repeat(40), VERCEL_GIT_COMMIT_REF: "main" }, { branch: "main" }],
];

test.each(known)("%s is recognised by the variables that env-ci knows", (system, env, seen) => {
  expect(detectSurroundings(env, empty)).toMatchObject({ system, commit: "f".repeat(40), ...seen });
});

test("in AWS CodeBuild the checkout completes what the variables do not say", () => {
  const env = { CODEBUILD_BUILD_ID: "web:7", AWS_REGION: "eu-west-1" };
  const url = "https://console.aws.amazon.com/codebuild/home?region=eu-west-1#/builds/web:7/view/new";
  const repository = "https://github.com/acme/web";
  const seen = { system: "AWS CodeBuild", commit: head, branch: "trunk", run: { id: "web:7", url }, repository };
  expect(detectSurroundings(env, checkout)).toEqual(seen);
});

test("every CI system is tried by these tests, and the page names it", () => {
  const tried = [...Object.values(environments).map(({ seen }) => seen.system), ...known.map(([system]) => system)];
  expect(new Set([...tried, "AWS CodeBuild"])).toEqual(new Set(systemNames));
  const { text } = readMarkdown("docs/guides/annotate.md");
  expect(systemNames.filter((system) => !text.includes(system.replace(/ (Actions|CI)$/, "")))).toEqual([]);
});

test("in a pull request the description has the run, and the request with its page", () => {
  const at = detectSurroundings(environments["Bitbucket Pipelines"].env, empty);
  expect(describeDeployment(at, "web", []).description?.split("\n").slice(1)).toEqual([
    "Bitbucket Pipelines run 42",
    "Pull request 8: https://bitbucket.org/acme/web/pull-requests/8",
  ]);
});

test("another CI system is read by its checkout", () => {
  expect(
    detectSurroundings({ CI: "true", SEMAPHORE: "true", SEMAPHORE_GIT_SHA: "f".repeat(40) }, checkout),
  ).toMatchObject({
    system: "git",
    commit: head,
  });
});

test("outside CI the checkout says what is deployed, without the credential of its remote", () => {
  const at = detectSurroundings({}, checkout);
  const repository = "https://github.com/acme/web";
  expect(at).toEqual({ system: "git", commit: head, branch: "trunk", actor: "Ada", repository });
  expect(describeDeployment(at, undefined, [])).toEqual({
    title: `Deploy web (${head.slice(0, 7)})`,
    description: `Commit ${head} on trunk by Ada`,
    url: `${repository}/commit/${head}`,
  });
});

test("a commit that was checked out by itself has no branch", () => {
  git("checkout", "--quiet", "--detach");
  expect(detectSurroundings({}, checkout).branch).toBeUndefined();
  git("checkout", "--quiet", "trunk");
});

test("the checkout completes what a CI system leaves out or names only symbolically", () => {
  const env = { BUILDKITE: "true", BUILDKITE_COMMIT: "HEAD", BUILDKITE_BUILD_ID: "b1" };
  expect(detectSurroundings(env, checkout)).toMatchObject({ system: "Buildkite", commit: head, branch: "trunk" });
});

test("without git and CI nothing is known", () => {
  expect(detectSurroundings({ CI: "true" }, empty)).toEqual({});
  expect(describeDeployment({}, "web to prod", [])).toEqual({ title: "Deploy web to prod" });
});

test("texts are cut to what the service takes", () => {
  const { title, description } = describeDeployment(
    { commit: "a".repeat(40), actor: "x".repeat(900) },
    "w".repeat(900),
    [],
  );
  expect([title.length, description?.length]).toEqual([256, 512]);
});
