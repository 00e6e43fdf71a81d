import { webAddress, withoutCredentials } from "./address";

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The surroundings of a deployment. */
export interface Surroundings {
  /** The CI system, or "git". */
  readonly system?: string | undefined;
  /** The commit that is deployed. */
  readonly commit?: string | undefined;
  /** The branch, or the tag where one is being built. */
  readonly branch?: string | undefined;
  /** Who started it. */
  readonly actor?: string | undefined;
  /** The CI run; its id differs from that of any other run of the same system. */
  readonly run?: { readonly id: string; readonly url?: string | undefined } | undefined;
  /** The pull request that it runs for. */
  readonly pullRequest?: { readonly number: string; readonly url?: string | undefined } | undefined;
  /** Web address of the repository. */
  readonly repository?: string | undefined;
}

/** Texts with variables, such as "$A/$B". The first of which every variable is set and not empty counts. */
type Templates = readonly string[];

/** How one CI system shows itself. */
interface System {
  readonly name: string;
  /** A variable that only this system sets. */
  readonly marker: string;
  /** The value of the marker, where others set it as well. */
  readonly value?: string;
  readonly commit: Templates;
  readonly branch: Templates;
  readonly actor?: Templates;
  readonly run: Templates;
  readonly runUrl: Templates;
  /** A number, a reference or an address. */
  readonly pullRequest: Templates;
  /** `#` stands for the number. */
  readonly pullRequestUrl?: Templates;
  readonly repository: Templates;
}

const github = {
  commit: ["$GITHUB_SHA"],
  branch: ["$GITHUB_HEAD_REF", "$GITHUB_REF_NAME"],
  actor: ["$GITHUB_TRIGGERING_ACTOR", "$GITHUB_ACTOR"],
  // The id stays when a run is repeated; only the attempt tells the runs apart.
  run: ["$GITHUB_RUN_ID.$GITHUB_RUN_ATTEMPT", "$GITHUB_RUN_ID.1"],
  pullRequest: ["$GITHUB_REF"],
  repository: ["$GITHUB_SERVER_URL/$GITHUB_REPOSITORY"],
} as const;

/** From each system's public documentation of its predefined variables. The first whose marker is set counts. */
const systems: readonly System[] = [
  {
    // Forgejo sets the marker of Gitea as well, and both set that of GitHub.
    ...github,
    name: "Gitea Actions",
    marker: "GITEA_ACTIONS",
    runUrl: ["$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_NUMBER"],
    pullRequestUrl: ["$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/pulls/#"],
  },
  {
    ...github,
    name: "GitHub Actions",
    marker: "GITHUB_ACTIONS",
    runUrl: ["$GITHUB_RUN_ATTEMPT", "1"].map(
      (attempt) => `$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID/attempts/${attempt}`,
    ),
    pullRequestUrl: ["$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/pull/#"],
  },
  {
    name: "GitLab CI",
    marker: "GITLAB_CI",
    commit: ["$CI_COMMIT_SHA"],
    branch: ["$CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "$CI_COMMIT_REF_NAME"],
    actor: ["$GITLAB_USER_LOGIN"],
    run: ["$CI_PIPELINE_ID"],
    runUrl: ["$CI_PIPELINE_URL"],
    pullRequest: ["$CI_MERGE_REQUEST_IID"],
    pullRequestUrl: ["$CI_MERGE_REQUEST_PROJECT_URL/-/merge_requests/#"],
    repository: ["$CI_PROJECT_URL"],
  },
  {
    name: "CircleCI",
    marker: "CIRCLECI",
    commit: ["$CIRCLE_SHA1"],
    branch: ["$CIRCLE_BRANCH", "$CIRCLE_TAG"],
    actor: ["$CIRCLE_USERNAME"],
    run: ["$CIRCLE_WORKFLOW_ID", "$CIRCLE_BUILD_URL"],
    runUrl: ["$CIRCLE_BUILD_URL"],
    pullRequest: ["$CIRCLE_PR_NUMBER", "$CIRCLE_PULL_REQUEST"],
    pullRequestUrl: ["$CIRCLE_PULL_REQUEST"],
    repository: ["$CIRCLE_REPOSITORY_URL"],
  },
  {
    name: "Buildkite",
    marker: "BUILDKITE",
    commit: ["$BUILDKITE_COMMIT"],
    branch: ["$BUILDKITE_BRANCH"],
    actor: ["$BUILDKITE_BUILD_CREATOR"],
    run: ["$BUILDKITE_BUILD_ID"],
    runUrl: ["$BUILDKITE_BUILD_URL"],
    pullRequest: ["$BUILDKITE_PULL_REQUEST"],
    repository: ["$BUILDKITE_REPO"],
  },
  {
    name: "Azure Pipelines",
    marker: "TF_BUILD",
    commit: ["$BUILD_SOURCEVERSION"],
    branch: ["$SYSTEM_PULLREQUEST_SOURCEBRANCH", "$BUILD_SOURCEBRANCH"],
    actor: ["$BUILD_REQUESTEDFOR"],
    run: ["$BUILD_BUILDID"],
    // The collection's address ends in a slash.
    runUrl: ["$SYSTEM_COLLECTIONURI$SYSTEM_TEAMPROJECT/_build/results?buildId=$BUILD_BUILDID"],
    pullRequest: ["$SYSTEM_PULLREQUEST_PULLREQUESTNUMBER", "$SYSTEM_PULLREQUEST_PULLREQUESTID"],
    repository: ["$BUILD_REPOSITORY_URI"],
  },
  {
    name: "Jenkins",
    marker: "JENKINS_URL",
    commit: ["$GIT_COMMIT"],
    branch: ["$CHANGE_BRANCH", "$BRANCH_NAME", "$GIT_BRANCH"],
    actor: ["$BUILD_USER_ID", "$CHANGE_AUTHOR"],
    run: ["$BUILD_TAG"],
    runUrl: ["$BUILD_URL"],
    pullRequest: ["$CHANGE_ID"],
    pullRequestUrl: ["$CHANGE_URL"],
    repository: ["$GIT_URL"],
  },
  {
    name: "Bitbucket Pipelines",
    marker: "BITBUCKET_BUILD_NUMBER",
    commit: ["$BITBUCKET_COMMIT"],
    branch: ["$BITBUCKET_BRANCH", "$BITBUCKET_TAG"],
    actor: ["$BITBUCKET_STEP_TRIGGERER_UUID"],
    run: ["$BITBUCKET_PIPELINE_UUID", "$BITBUCKET_BUILD_NUMBER"],
    runUrl: ["https://bitbucket.org/$BITBUCKET_REPO_FULL_NAME/pipelines/results/$BITBUCKET_BUILD_NUMBER"],
    pullRequest: ["$BITBUCKET_PR_ID"],
    pullRequestUrl: ["https://bitbucket.org/$BITBUCKET_REPO_FULL_NAME/pull-requests/#"],
    repository: ["https://bitbucket.org/$BITBUCKET_REPO_FULL_NAME"],
  },
  {
    name: "AWS CodeBuild",
    marker: "CODEBUILD_BUILD_ARN",
    commit: ["$CODEBUILD_RESOLVED_SOURCE_VERSION"],
    branch: ["$CODEBUILD_WEBHOOK_HEAD_REF"],
    actor: ["$CODEBUILD_INITIATOR"],
    run: ["$CODEBUILD_BUILD_ID"],
    runUrl: ["https://console.aws.amazon.com/codebuild/home?region=$AWS_REGION#/builds/$CODEBUILD_BUILD_ID/view/new"],
    pullRequest: ["$CODEBUILD_WEBHOOK_TRIGGER"],
    repository: ["$CODEBUILD_SOURCE_REPO_URL"],
  },
  {
    // A step has these variables if the build sets the option automapSubstitutions.
    name: "Cloud Build",
    marker: "BUILDER_OUTPUT",
    commit: ["$COMMIT_SHA"],
    branch: ["$_HEAD_BRANCH", "$BRANCH_NAME", "$TAG_NAME"],
    run: ["$BUILD_ID"],
    runUrl: ["https://console.cloud.google.com/cloud-build/builds;region=$LOCATION/$BUILD_ID?project=$PROJECT_ID"],
    pullRequest: ["$_PR_NUMBER"],
    repository: [],
  },
  {
    name: "Woodpecker",
    marker: "CI",
    value: "woodpecker",
    commit: ["$CI_COMMIT_SHA"],
    branch: ["$CI_COMMIT_SOURCE_BRANCH", "$CI_COMMIT_BRANCH", "$CI_COMMIT_TAG"],
    actor: ["$CI_COMMIT_AUTHOR"],
    run: ["$CI_REPO/$CI_PIPELINE_NUMBER"],
    runUrl: ["$CI_PIPELINE_URL"],
    pullRequest: ["$CI_COMMIT_PULL_REQUEST"],
    repository: ["$CI_REPO_URL"],
  },
  {
    name: "Drone",
    marker: "DRONE",
    commit: ["$DRONE_COMMIT_SHA"],
    branch: ["$DRONE_SOURCE_BRANCH", "$DRONE_BRANCH", "$DRONE_TAG"],
    actor: ["$DRONE_COMMIT_AUTHOR"],
    run: ["$DRONE_REPO/$DRONE_BUILD_NUMBER"],
    runUrl: ["$DRONE_BUILD_LINK"],
    pullRequest: ["$DRONE_PULL_REQUEST"],
    repository: ["$DRONE_REPO_LINK"],
  },
  {
    name: "Travis CI",
    marker: "TRAVIS",
    commit: ["$TRAVIS_COMMIT"],
    branch: ["$TRAVIS_PULL_REQUEST_BRANCH", "$TRAVIS_BRANCH"],
    run: ["$TRAVIS_BUILD_ID"],
    runUrl: ["$TRAVIS_BUILD_WEB_URL"],
    pullRequest: ["$TRAVIS_PULL_REQUEST"],
    repository: [],
  },
  {
    name: "Vercel",
    marker: "VERCEL",
    commit: ["$VERCEL_GIT_COMMIT_SHA"],
    branch: ["$VERCEL_GIT_COMMIT_REF"],
    actor: ["$VERCEL_GIT_COMMIT_AUTHOR_LOGIN"],
    run: ["$VERCEL_DEPLOYMENT_ID"],
    runUrl: ["https://$VERCEL_URL"],
    pullRequest: ["$VERCEL_GIT_PULL_REQUEST_ID"],
    repository: [],
  },
  {
    name: "Netlify",
    marker: "NETLIFY",
    commit: ["$COMMIT_REF"],
    branch: ["$HEAD"],
    run: ["$DEPLOY_ID"],
    runUrl: ["https://app.netlify.com/sites/$SITE_NAME/deploys/$DEPLOY_ID"],
    pullRequest: ["$REVIEW_ID"],
    repository: ["$REPOSITORY_URL"],
  },
];

/** The surroundings according to the CI system; undefined outside CI. */
export function readSystem(env: Environment): Surroundings | undefined {
  const get = (name: string) => env[name]?.trim() || undefined;
  const system = systems.find(({ marker, value = get(marker) }) => value !== undefined && get(marker) === value);
  if (!system) return undefined;
  const fill = (templates: Templates = []) =>
    templates
      .filter((one) => [...one.matchAll(variable)].every(([, name = ""]) => get(name) !== undefined))
      .map((one) => one.replaceAll(variable, (_, name) => get(name) ?? ""))[0];
  const [run, number] = [fill(system.run), pullRequestNumber.exec(fill(system.pullRequest) ?? "")?.[1]];
  const pullRequestUrl = number && fill(system.pullRequestUrl)?.replace("#", number);
  return {
    system: system.name,
    commit: fill(system.commit),
    branch: fill(system.branch)?.replace(/^(?:refs\/(?:heads|tags)|origin)\//, ""),
    actor: fill(system.actor),
    run: run && { id: run, url: withoutCredentials(fill(system.runUrl)) },
    pullRequest: number && { number, url: withoutCredentials(pullRequestUrl) },
    repository: webAddress(fill(system.repository)),
  } as Surroundings;
}

const variable = /\$(\w+)/g;

/** In a number, in a reference of git, and in an address. */
const pullRequestNumber = /^(?:refs\/pull\/|pr\/|https?:.*\/)?(\d+)(?:\/(?:merge|head))?$/;
