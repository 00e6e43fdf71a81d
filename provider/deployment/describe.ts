import { commitAddress } from "./address";
import type { Surroundings } from "./systems";

/** The texts of a deployment's annotation, for the fields that the user leaves out. */
export interface Description {
  readonly title: string;
  readonly description?: string;
  readonly url?: string;
}

/** Longest texts that the public service takes (extended interface, "Annotations"). */
const lengths = { title: 256, description: 512, url: 512 } as const;

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
  const pullRequest = at.pullRequest && `Pull request ${at.pullRequest.number}`;
  const request = pullRequest && [pullRequest, at.pullRequest?.url].filter(Boolean).join(": ");
  const text = [commit, run, request, ...lines].filter(Boolean).join("\n");
  const url = at.run?.url ?? commitAddress(at.repository, at.commit);
  return {
    title: clip(title, lengths.title),
    ...(text ? { description: clip(text, lengths.description) } : {}),
    ...(url && url.length <= lengths.url ? { url } : {}),
  };
}

const repositoryName = (repository: string | undefined): string | undefined => repository?.split("/").at(-1);

const clip = (text: string, max: number): string => {
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join("")}…`;
};
