import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { ensureCached } from "../../scripts/steps/cache.mjs";

export const CHECKOUT = path.resolve(__dirname, "../..");

const main = path.join(CHECKOUT, "dist/cli/main.js");

/** A sentence about how to make a missing build. */
export const howToBuild =
  "dist/ is not built: run `npm test`, which builds it and finds the engine, or `npm run build`.";

export const isBuilt = (): boolean => existsSync(main);

/** @throws Error that says what to run */
export function requireBuild(): void {
  if (!isBuilt()) throw new Error(howToBuild);
}

/**
 * The built `event-datasets-emulator`.
 * @throws Error that says what to run
 */
export function builtEmulator(): string {
  requireBuild();
  return path.join(CHECKOUT, "emulator/dist/main.js");
}

/**
 * The built `event-datasets`.
 * @throws Error that says what to run
 */
export function builtCli(): string {
  requireBuild();
  return main;
}

/** Names the folder that all suites of a test run share. */
export const SHARED_FOLDER = "EVENT_DATASETS_TESTS_SHARED";

/** The folder that all suites of a test run share. */
export function sharedFolder(): string {
  const folder = process.env[SHARED_FOLDER];
  if (!folder) throw new Error(`${SHARED_FOLDER} is not set: jest's global setup did not run`);
  return folder;
}

/** Makes a folder of the test run, unless another worker has: it waits for one that is about it. */
export const makeOnce = (name: string, make: (draft: string) => Promise<void>): Promise<string> =>
  ensureCached({ folder: path.join(sharedFolder(), name), log: () => undefined, make });

/** The files in a folder of the checkout and below it whose names match, by their paths in the checkout. Nothing that is installed. */
export const filesBelow = (folder: string, name: RegExp): string[] =>
  readdirSync(path.join(CHECKOUT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => name.test(file) && !file.includes("node_modules"))
    .map((file) => path.join(folder, file));
