// @ts-check
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { withLock } from "./lock.mjs";

/** The folder that all checkouts of a user share. @param {NodeJS.ProcessEnv} env */
export function cacheFolder(env) {
  // The XDG specification says to ignore relative paths.
  const named = env.XDG_CACHE_HOME ?? "";
  const base = path.isAbsolute(named) ? named : path.join(env.HOME || os.homedir(), ".cache");
  return path.join(base, "pulumi-event-datasets");
}

/**
 * Finds a folder of the cache, or makes it: under another name first, so that an interrupted run leaves nothing that looks complete.
 * @param {{ folder: string, log: import("./log.mjs").Log, make: (draft: string) => Promise<unknown> }} options
 */
export async function ensureCached({ folder, log, make }) {
  if (existsSync(folder)) return folder;
  return withLock(`${folder}.lock`, log, async () => {
    if (existsSync(folder)) return folder;
    const draft = `${folder}.draft-${process.pid}`;
    try {
      await fs.mkdir(draft, { recursive: true });
      await make(draft);
      await fs.rename(draft, folder);
      return folder;
    } finally {
      await fs.rm(draft, { recursive: true, force: true });
    }
  });
}

/**
 * A short hash of files, and of the platform: machines of both kinds may share a home folder.
 * @param {string} root
 * @param {readonly string[]} files
 */
export async function hashOfFiles(root, files) {
  const hash = createHash("sha256").update(`${process.platform}/${process.arch}\0`);
  for (const file of files) hash.update(await fs.readFile(path.join(root, file)));
  return hash.digest("hex").slice(0, 12);
}
