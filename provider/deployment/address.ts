/**
 * An http(s) address without user name and password; undefined for anything else. Addresses of remotes often hold a
 * token, and what is written into an annotation is for many eyes.
 */
export function withoutCredentials(text: string | undefined): string | undefined {
  if (!text || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.username = "";
  url.password = "";
  return url.href;
}

/** The page of the repository that a git remote names: nothing but host and path of it. Undefined for a local one. */
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

/** The page of a commit where the host is one whose addresses are known, else that of the repository. */
export function commitAddress(repository: string | undefined, commit: string | undefined): string | undefined {
  if (!repository || !commit) return repository;
  const { hostname } = new URL(repository);
  if (/(^|\.)bitbucket\./.test(hostname)) return `${repository}/commits/${commit}`;
  if (/(^|\.)gitlab\./.test(hostname)) return `${repository}/-/commit/${commit}`;
  if (/(^|\.)github\./.test(hostname)) return `${repository}/commit/${commit}`;
  return repository;
}
