import { longestText } from "../../../sdk/resources/annotationFields";
import { defined } from "../../../values/defined";
import { shorten } from "../../../values/shorten";
import { pageOf } from "./address";
import { readGit } from "./git";
import { type Environment, readSystem, type Surroundings } from "./systems";

export { withoutCredentials } from "./address";
export type { Environment, Surroundings };

/** Where a deployment runs: the facts from the CI system, completed with those of the checkout, or only those of the checkout. */
export function detectSurroundings(env: Environment, folder: string): Surroundings {
  const found = readSystem(env);
  if (!found) return readGit(folder);
  if (found.commit && found.branch && found.repository) return found;
  const checkout = readGit(folder);
  return {
    ...found,
    commit: found.commit ?? checkout.commit,
    branch: found.branch ?? checkout.branch,
    repository: found.repository ?? checkout.repository,
  };
}

/** The texts of a deployment's annotation, for fields that the user leaves out. */
export interface Description {
  /** The stack and the commit. */
  readonly title: string;
  /** Commit, branch, actor, run and pull request. */
  readonly description?: string;
  /** The CI run, or the commit's page. */
  readonly url?: string;
}

/**
 * @param what what is deployed, as in "web to prod"
 * @param lines further lines of the description
 */
export function describeDeployment(at: Surroundings, what: string | undefined, lines: readonly string[]): Description {
  // A commit is known by its first characters; anything else that a user names, only as a whole.
  const short = /^[0-9a-f]{8,64}$/i.test(at.commit ?? "") ? at.commit?.slice(0, 7) : at.commit;
  const title = ["Deploy", what ?? repositoryName(at.repository), short && `(${short})`].filter(Boolean).join(" ");
  const words = [`Commit ${at.commit}`, at.branch && `on ${at.branch}`, at.actor && `by ${at.actor}`];
  const commit = at.commit && words.filter(Boolean).join(" ");
  const run = at.run && [at.system, `run ${at.run.id}`].filter(Boolean).join(" ");
  const pullRequest = at.pullRequest && `Pull request ${at.pullRequest}`;
  const request = [pullRequest, pageOf("pullRequest", at.repository, at.pullRequest)].filter(Boolean).join(": ");
  const text = [commit, run, request, ...lines].filter(Boolean).join("\n");
  const url = at.run?.url ?? pageOf("commit", at.repository, at.commit) ?? at.repository;
  return {
    title: shorten(title, longestText("title")),
    ...defined({
      description: text ? shorten(text, longestText("description")) : undefined,
      url: url && url.length <= longestText("url") ? url : undefined,
    }),
  };
}

const repositoryName = (repository: string | undefined): string | undefined => repository?.split("/").at(-1);
