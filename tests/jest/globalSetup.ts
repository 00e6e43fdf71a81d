import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { isCurrent } from "../../scripts/steps/build.mjs";
import { CHECKOUT, howToBuild, isBuilt, SHARED_FOLDER } from "../support/checkout";
import { WarmHosts } from "../support/warmHosts";

/** Of this test run; it ends with the run. */
let hosts: WarmHosts | undefined;

export const stopWarmHosts = async (): Promise<void> => await hosts?.[Symbol.asyncDispose]();

/** Runs once before all suites, and makes the folder that they share. */
// biome-ignore lint/style/noDefaultExport: jest takes the module's default export
export default async function globalSetup(config: { testPathPatterns: { patterns: string[] } }): Promise<void> {
  // A part may need no build, and says so by itself if it does; everything at once needs one for sure.
  if (config.testPathPatterns.patterns.length === 0 && !isBuilt()) {
    process.stderr.write(`${howToBuild}\n`);
    process.exit(1); // what is thrown here is shown with a stack
  }
  if (isBuilt() && !(await isCurrent(CHECKOUT)))
    process.stderr.write("dist/ came from other sources, and many tests run what is in it: `npm run build`.\n");
  const folder = await mkdtemp(path.join(os.tmpdir(), "event-datasets-tests-"));
  process.env[SHARED_FOLDER] = folder;
  hosts = await WarmHosts.start();
}
