// @ts-check
import fs from "node:fs/promises";
import path from "node:path";
import { cacheFolder, ensureCached, hashOfFiles } from "../steps/cache.mjs";
import { withoutOwnBinaries } from "../steps/dependencies.mjs";
import { withLock } from "../steps/lock.mjs";
import { step } from "../steps/log.mjs";
import { capture } from "../steps/run.mjs";
import { worksWithTypescript6 } from "./promises.mjs";

/** The files that npm needs to install the dependencies of this checkout. */
const MANIFESTS = ["package.json", "package-lock.json", ".npmrc", "emulator/package.json", "scripts/node/package.json"];
/** For an SDK that does not work with the one of this checkout. */
const OLDER_TYPESCRIPT = "5.9.3";

/**
 * Calls `work` with a copy of this checkout, as it is built, that has another SDK. Tests, programs and providers find the SDK from the
 * folder that they are in, and a link would lead them back to the SDK of this checkout.
 * @template T
 * @param {{ root: string, env: NodeJS.ProcessEnv, log: import("../steps/log.mjs").Log }} context
 * @param {string} sdk the version
 * @param {(folder: string) => Promise<T>} work
 */
export async function withSdk({ root, env, log }, sdk, work) {
  const packages = [`@pulumi/pulumi@${sdk}`, ...(worksWithTypescript6(sdk) ? [] : [`typescript@${OLDER_TYPESCRIPT}`])];
  const folder = await ensureCached({
    folder: path.join(cacheFolder(env), "sdks", `${sdk}-${await hashOfFiles(root, MANIFESTS)}`),
    log,
    async make(draft) {
      for (const file of MANIFESTS) await fs.cp(path.join(root, file), path.join(draft, file));
      const options = ["--no-save", "--prefer-offline", "--no-audit", "--no-fund"];
      await step(log, `installing the dependencies with ${packages.join(" and ")}`, () =>
        capture("npm", ["install", ...options, ...packages], { cwd: draft, env: withoutOwnBinaries(root) }),
      );
    },
  });
  return withLock(`${folder}.lock`, log, async () => {
    for (const entry of await fs.readdir(folder))
      if (entry !== "node_modules") await fs.rm(path.join(folder, entry), { recursive: true });
    const isOurs = (/** @type {string} */ file) => !["node_modules", ".git", ".cache"].includes(path.basename(file));
    await fs.cp(root, folder, { recursive: true, filter: isOurs });
    return work(folder);
  });
}
