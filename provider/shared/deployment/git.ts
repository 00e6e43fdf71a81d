import { execFileSync } from "node:child_process";
import { webAddress } from "./address";
import type { Surroundings } from "./systems";

/** The checkout that a folder is in, according to git. */
export function readGit(folder: string): Surroundings {
  const commit = git(folder, "rev-parse", "HEAD");
  if (commit === undefined) return {};
  const branch = git(folder, "rev-parse", "--abbrev-ref", "HEAD");
  return {
    system: "git",
    commit,
    branch: branch === "HEAD" ? undefined : branch, // a commit that was checked out by itself
    actor: git(folder, "config", "user.name"),
    repository: webAddress(git(folder, "remote", "get-url", "origin")),
  };
}

function git(folder: string, ...args: readonly string[]): string | undefined {
  try {
    const printed = execFileSync("git", args, {
      cwd: folder,
      encoding: "utf8",
      timeout: 5_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return printed.trim() || undefined;
  } catch {
    return undefined; // no git, no checkout, or git does not know this
  }
}
