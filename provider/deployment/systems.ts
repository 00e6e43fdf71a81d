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

/** How one CI system shows itself. Unset and empty variables are the same here: `get` answers undefined for both. */
interface System {
  readonly name: string;
  /** Set by this system, and by no other. */
  readonly marker: string;
  readonly read: (get: (name: string) => string | undefined) => Omit<Surroundings, "system">;
}

const runOf = (id: string | undefined, url: string | undefined): Surroundings["run"] =>
  id ? { id, url: withoutCredentials(url) } : undefined;
const pullRequestOf = (number: string | undefined, url?: string): Surroundings["pullRequest"] =>
  number ? { number, url: withoutCredentials(url) } : undefined;

/** From each system's public documentation of its predefined variables. */
export const systems: readonly System[] = [
  {
    name: "GitHub Actions",
    marker: "GITHUB_ACTIONS",
    read(get) {
      const repository = `${get("GITHUB_SERVER_URL")}/${get("GITHUB_REPOSITORY")}`;
      const [id, attempt] = [get("GITHUB_RUN_ID"), get("GITHUB_RUN_ATTEMPT") ?? "1"];
      const [, number] = /^refs\/pull\/(\d+)\//.exec(get("GITHUB_REF") ?? "") ?? [];
      return {
        commit: get("GITHUB_SHA"),
        branch: get("GITHUB_HEAD_REF") ?? get("GITHUB_REF_NAME"),
        actor: get("GITHUB_TRIGGERING_ACTOR") ?? get("GITHUB_ACTOR"),
        // The id stays when a run is repeated; only the attempt tells the runs apart.
        run: runOf(id && `${id}.${attempt}`, `${repository}/actions/runs/${id}/attempts/${attempt}`),
        pullRequest: pullRequestOf(number, `${repository}/pull/${number}`),
        repository: webAddress(repository),
      };
    },
  },
  {
    name: "GitLab CI",
    marker: "GITLAB_CI",
    read: (get) => ({
      commit: get("CI_COMMIT_SHA"),
      branch: get("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME") ?? get("CI_COMMIT_REF_NAME"),
      actor: get("GITLAB_USER_LOGIN"),
      run: runOf(get("CI_PIPELINE_ID"), get("CI_PIPELINE_URL")),
      pullRequest: pullRequestOf(
        get("CI_MERGE_REQUEST_IID"),
        `${get("CI_MERGE_REQUEST_PROJECT_URL")}/-/merge_requests/${get("CI_MERGE_REQUEST_IID")}`,
      ),
      repository: webAddress(get("CI_PROJECT_URL")),
    }),
  },
  {
    name: "CircleCI",
    marker: "CIRCLECI",
    read: (get) => ({
      commit: get("CIRCLE_SHA1"),
      branch: get("CIRCLE_BRANCH") ?? get("CIRCLE_TAG"),
      actor: get("CIRCLE_USERNAME"),
      run: runOf(get("CIRCLE_WORKFLOW_ID") ?? get("CIRCLE_BUILD_URL"), get("CIRCLE_BUILD_URL")),
      pullRequest: pullRequestOf(
        get("CIRCLE_PR_NUMBER") ?? /\/(\d+)$/.exec(get("CIRCLE_PULL_REQUEST") ?? "")?.[1],
        get("CIRCLE_PULL_REQUEST"),
      ),
      repository: webAddress(get("CIRCLE_REPOSITORY_URL")),
    }),
  },
  {
    name: "Buildkite",
    marker: "BUILDKITE",
    read(get) {
      const number = get("BUILDKITE_PULL_REQUEST");
      return {
        commit: get("BUILDKITE_COMMIT"),
        branch: get("BUILDKITE_BRANCH"),
        actor: get("BUILDKITE_BUILD_CREATOR"),
        run: runOf(get("BUILDKITE_BUILD_ID"), get("BUILDKITE_BUILD_URL")),
        pullRequest: pullRequestOf(number === "false" ? undefined : number),
        repository: webAddress(get("BUILDKITE_REPO")),
      };
    },
  },
  {
    name: "Azure Pipelines",
    marker: "TF_BUILD",
    read(get) {
      const [id, project] = [get("BUILD_BUILDID"), encodeURIComponent(get("SYSTEM_TEAMPROJECT") ?? "")];
      const ref = get("SYSTEM_PULLREQUEST_SOURCEBRANCH") ?? get("BUILD_SOURCEBRANCH");
      return {
        commit: get("BUILD_SOURCEVERSION"),
        branch: ref?.replace(/^refs\/(heads|tags)\//, ""),
        actor: get("BUILD_REQUESTEDFOR"),
        // The collection's address ends in a slash.
        run: runOf(id, `${get("SYSTEM_COLLECTIONURI")}${project}/_build/results?buildId=${id}`),
        pullRequest: pullRequestOf(
          get("SYSTEM_PULLREQUEST_PULLREQUESTNUMBER") ?? get("SYSTEM_PULLREQUEST_PULLREQUESTID"),
        ),
        repository: webAddress(get("BUILD_REPOSITORY_URI")),
      };
    },
  },
  {
    name: "Jenkins",
    marker: "JENKINS_URL",
    read: (get) => ({
      commit: get("GIT_COMMIT"),
      branch: get("CHANGE_BRANCH") ?? get("BRANCH_NAME") ?? get("GIT_BRANCH")?.replace(/^origin\//, ""),
      actor: get("BUILD_USER_ID") ?? get("CHANGE_AUTHOR"),
      run: runOf(get("BUILD_TAG"), get("BUILD_URL")),
      pullRequest: pullRequestOf(get("CHANGE_ID"), get("CHANGE_URL")),
      repository: webAddress(get("GIT_URL")),
    }),
  },
  {
    name: "Bitbucket Pipelines",
    marker: "BITBUCKET_BUILD_NUMBER",
    read(get) {
      const [repository, number] = [`https://bitbucket.org/${get("BITBUCKET_REPO_FULL_NAME")}`, get("BITBUCKET_PR_ID")];
      return {
        commit: get("BITBUCKET_COMMIT"),
        branch: get("BITBUCKET_BRANCH") ?? get("BITBUCKET_TAG"),
        actor: get("BITBUCKET_STEP_TRIGGERER_UUID"),
        run: runOf(
          get("BITBUCKET_PIPELINE_UUID") ?? get("BITBUCKET_BUILD_NUMBER"),
          `${repository}/pipelines/results/${get("BITBUCKET_BUILD_NUMBER")}`,
        ),
        pullRequest: pullRequestOf(number, `${repository}/pull-requests/${number}`),
        repository: webAddress(repository),
      };
    },
  },
];
