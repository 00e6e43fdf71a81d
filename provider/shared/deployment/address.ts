/**
 * An http(s) address without its user name and password; undefined for anything else. The address of a git remote often
 * contains a token, and many people can read an annotation.
 */
export function withoutCredentials(text: string | undefined): string | undefined {
  if (!text || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.username = "";
  url.password = "";
  return url.href;
}

/** The page of the repository that a git remote names: only its host and path. Undefined for a local remote. */
export function webAddress(remote: string | undefined): string | undefined {
  if (!remote) return undefined;
  // user@host:path, the short form of ssh. One letter before the colon is a drive.
  const [, host, path] = /^(?:[^@/\s]+@)?([^:/\s]{2,}):(?!\/\/)\/?(\S+)$/.exec(remote) ?? [];
  const text = host && path ? `ssh://${host}/${path}` : remote;
  if (!/^(https?|ssh|git):\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const web = url.protocol === "http:" || url.protocol === "https:";
  const authority = web ? `${url.protocol}//${url.host}` : `https://${url.hostname}`;
  return `${authority}${url.pathname.replace(/\/+$/, "").replace(/\.git$/, "")}`;
}

/** On hosts whose addresses are known, the pages of a commit and of a pull request below the repository's. */
const hosts = [
  { host: /(^|\.)github\./, commit: "commit", pullRequest: "pull" },
  { host: /(^|\.)gitlab\./, commit: "-/commit", pullRequest: "-/merge_requests" },
  { host: /(^|\.)bitbucket\./, commit: "commits", pullRequest: "pull-requests" },
] as const;

/** The page of a commit or a pull request; undefined if its address is not known. */
export function pageOf(
  kind: "commit" | "pullRequest",
  repository: string | undefined,
  id: string | undefined,
): string | undefined {
  if (!repository || !id) return undefined;
  const { hostname } = new URL(repository);
  const known = hosts.find(({ host }) => host.test(hostname));
  return known && `${repository}/${known[kind]}/${id}`;
}
