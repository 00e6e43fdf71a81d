import { webAddress, withoutCredentials } from "./address";

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The context of a deployment: where it runs, and what it deploys. */
export interface Surroundings {
  /** The CI system, or "git". */
  readonly system?: string | undefined;
  /** The commit that is deployed. */
  readonly commit?: string | undefined;
  /** The branch, or the tag if one is being built. */
  readonly branch?: string | undefined;
  /** Who started it. */
  readonly actor?: string | undefined;
  /** The CI run; its id differs from that of any other run of the same system. */
  readonly run?: { readonly id: string; readonly url?: string | undefined } | undefined;
  /** The number of the pull request that the deployment runs for. */
  readonly pullRequest?: string | undefined;
  /** Web address of the repository. */
  readonly repository?: string | undefined;
}

/** The variables of a CI system, as they are. */
interface Run extends Omit<Surroundings, "system" | "run"> {
  readonly run?: string | undefined;
  readonly runUrl?: string | undefined;
}

/** A text with variables; undefined if one of them is not set. */
const join = (literals: TemplateStringsArray, ...variables: readonly (string | undefined)[]): string | undefined =>
  variables.includes(undefined) ? undefined : String.raw(literals, ...variables);

const readGitHub = (env: Environment): Run => {
  const repository = join`${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}`;
  const attempt = env.GITHUB_RUN_ATTEMPT ?? "1";
  return {
    commit: env.GITHUB_SHA,
    branch: env.GITHUB_HEAD_REF ?? env.GITHUB_REF_NAME,
    actor: env.GITHUB_TRIGGERING_ACTOR ?? env.GITHUB_ACTOR,
    // The id stays when a run is repeated; only the attempt tells the runs apart.
    run: join`${env.GITHUB_RUN_ID}.${attempt}`,
    runUrl: join`${repository}/actions/runs/${env.GITHUB_RUN_ID}/attempts/${attempt}`,
    pullRequest: env.GITHUB_REF,
    repository,
  };
};

/** @param marker a variable that only the system itself sets */
const ciSystem = (marker: string, system: string, read: (env: Environment) => Run) => ({ marker, system, read });

/** The first system whose marker is set counts. */
const systems = [
  // Forgejo sets the variable of Gitea as well, and both set that of GitHub.
  ciSystem("GITEA_ACTIONS", "Gitea Actions", (env) => {
    const run = readGitHub(env);
    return { ...run, runUrl: join`${run.repository}/actions/runs/${env.GITHUB_RUN_NUMBER}` };
  }),
  ciSystem("GITHUB_ACTIONS", "GitHub Actions", readGitHub),
  ciSystem("GITLAB_CI", "GitLab CI", (env) => ({
    commit: env.CI_COMMIT_SHA,
    branch: env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME ?? env.CI_COMMIT_REF_NAME,
    actor: env.GITLAB_USER_LOGIN,
    run: env.CI_PIPELINE_ID,
    runUrl: env.CI_PIPELINE_URL,
    pullRequest: env.CI_MERGE_REQUEST_IID,
    repository: env.CI_PROJECT_URL,
  })),
  ciSystem("CIRCLECI", "CircleCI", (env) => ({
    commit: env.CIRCLE_SHA1,
    branch: env.CIRCLE_BRANCH ?? env.CIRCLE_TAG,
    actor: env.CIRCLE_USERNAME,
    run: env.CIRCLE_WORKFLOW_ID,
    runUrl: env.CIRCLE_BUILD_URL,
    pullRequest: env.CIRCLE_PULL_REQUEST,
    repository: env.CIRCLE_REPOSITORY_URL,
  })),
  ciSystem("BUILDKITE", "Buildkite", (env) => ({
    commit: env.BUILDKITE_COMMIT,
    branch: env.BUILDKITE_BRANCH,
    actor: env.BUILDKITE_BUILD_CREATOR,
    run: env.BUILDKITE_BUILD_ID,
    runUrl: env.BUILDKITE_BUILD_URL,
    pullRequest: env.BUILDKITE_PULL_REQUEST,
    repository: env.BUILDKITE_REPO,
  })),
  ciSystem("TF_BUILD", "Azure Pipelines", (env) => ({
    commit: env.BUILD_SOURCEVERSION,
    branch: env.SYSTEM_PULLREQUEST_SOURCEBRANCH ?? env.BUILD_SOURCEBRANCH,
    actor: env.BUILD_REQUESTEDFOR,
    run: env.BUILD_BUILDID,
    // The collection's address ends in a slash.
    runUrl: join`${env.SYSTEM_COLLECTIONURI}${env.SYSTEM_TEAMPROJECT}/_build/results?buildId=${env.BUILD_BUILDID}`,
    pullRequest: env.SYSTEM_PULLREQUEST_PULLREQUESTNUMBER ?? env.SYSTEM_PULLREQUEST_PULLREQUESTID,
    repository: env.BUILD_REPOSITORY_URI,
  })),
  ciSystem("JENKINS_URL", "Jenkins", (env) => ({
    commit: env.GIT_COMMIT,
    branch: env.CHANGE_BRANCH ?? env.BRANCH_NAME ?? env.GIT_BRANCH,
    actor: env.CHANGE_AUTHOR,
    run: env.BUILD_TAG,
    runUrl: env.BUILD_URL,
    pullRequest: env.CHANGE_ID,
    repository: env.GIT_URL,
  })),
  ciSystem("DRONE", "Drone", (env) => ({
    commit: env.DRONE_COMMIT_SHA,
    branch: env.DRONE_SOURCE_BRANCH ?? env.DRONE_BRANCH ?? env.DRONE_TAG,
    run: join`${env.DRONE_REPO_OWNER}/${env.DRONE_REPO_NAME}/${env.DRONE_BUILD_NUMBER}`,
    runUrl: env.DRONE_BUILD_LINK,
    pullRequest: env.DRONE_PULL_REQUEST,
  })),
  ciSystem("TRAVIS", "Travis CI", (env) => ({
    commit: env.TRAVIS_COMMIT,
    branch: env.TRAVIS_PULL_REQUEST_BRANCH ?? env.TRAVIS_BRANCH,
    run: join`${env.TRAVIS_REPO_SLUG}/${env.TRAVIS_BUILD_NUMBER}`,
    runUrl: env.TRAVIS_BUILD_WEB_URL,
    pullRequest: env.TRAVIS_PULL_REQUEST,
  })),
  // Woodpecker: the other systems call their numbers differently.
  ciSystem("CI_PIPELINE_NUMBER", "Woodpecker", (env) => ({
    commit: env.CI_COMMIT_SHA,
    branch: env.CI_COMMIT_SOURCE_BRANCH ?? env.CI_COMMIT_BRANCH ?? env.CI_COMMIT_TAG,
    run: join`${env.CI_REPO_OWNER}/${env.CI_REPO_NAME}/${env.CI_PIPELINE_NUMBER}`,
    runUrl: env.CI_PIPELINE_URL,
    pullRequest: env.CI_COMMIT_PULL_REQUEST,
  })),
  ciSystem("CODEBUILD_BUILD_ID", "AWS CodeBuild", (env) => ({
    run: env.CODEBUILD_BUILD_ID,
    runUrl: join`https://console.aws.amazon.com/codebuild/home?region=${env.AWS_REGION}#/builds/${env.CODEBUILD_BUILD_ID}/view/new`,
  })),
  ciSystem("NETLIFY", "Netlify", (env) => ({
    commit: env.COMMIT_REF,
    branch: env.HEAD,
    run: env.DEPLOY_ID,
    runUrl: join`https://app.netlify.com/sites/${env.SITE_NAME}/deploys/${env.DEPLOY_ID}`,
    pullRequest: env.REVIEW_ID,
    repository: env.REPOSITORY_URL,
  })),
  ciSystem("VERCEL", "Vercel", (env) => ({ commit: env.VERCEL_GIT_COMMIT_SHA, branch: env.VERCEL_GIT_COMMIT_REF })),
  ciSystem("BITBUCKET_BUILD_NUMBER", "Bitbucket Pipelines", (env) => ({
    commit: env.BITBUCKET_COMMIT,
    branch: env.BITBUCKET_BRANCH ?? env.BITBUCKET_TAG,
    run: env.BITBUCKET_BUILD_NUMBER,
    runUrl: join`https://bitbucket.org/${env.BITBUCKET_REPO_FULL_NAME}/pipelines/results/${env.BITBUCKET_BUILD_NUMBER}`,
    pullRequest: env.BITBUCKET_PR_ID,
    repository: join`https://bitbucket.org/${env.BITBUCKET_REPO_FULL_NAME}`,
  })),
];

export const systemNames: readonly string[] = systems.map(({ system }) => system);

/** The context according to the CI system; undefined outside CI. */
export function readSystem(environment: Environment): Surroundings | undefined {
  // An empty variable is one that is not set.
  const env = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value?.trim() || undefined]),
  );
  const found = systems.find(({ marker }) => env[marker] !== undefined);
  if (!found) return undefined;
  const { run, runUrl, ...at } = found.read(env);
  return {
    ...at,
    system: found.system,
    // Some systems put a symbolic name such as HEAD in the commit's place.
    commit: at.commit?.match(/^[0-9a-f]{7,64}$/i)?.[0],
    branch: at.branch?.replace(/^(?:refs\/(?:heads|tags)|origin)\//, ""),
    run: run === undefined ? undefined : { id: run, url: withoutCredentials(runUrl) },
    pullRequest: pullRequestNumber.exec(at.pullRequest ?? "")?.[1],
    repository: webAddress(at.repository),
  };
}

/** In a number, in a reference of git, and in an address. */
const pullRequestNumber = /^(?:refs\/pull\/|https?:.*\/)?(\d+)(?:\/(?:merge|head))?$/;
