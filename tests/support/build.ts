import { existsSync } from "node:fs";
import path from "node:path";

const main = path.resolve(__dirname, "../../dist/cli/main.js");

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
  return path.resolve(__dirname, "../../emulator/dist/main.js");
}

/**
 * The built `event-datasets`.
 * @throws Error that says what to run
 */
export function builtCli(): string {
  requireBuild();
  return main;
}
