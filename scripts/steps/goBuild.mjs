// @ts-check
import path from "node:path";
import { capture } from "./run.mjs";

/**
 * The same for every program, so that they share compiled packages. Nobody debugs them, and without symbols they compile faster.
 * @param {string} [linking] more flags of the linker
 */
export const buildFlags = (linking = "") => [
  "-mod=readonly",
  "-trimpath",
  "-buildvcs=false",
  "-gcflags=all=-dwarf=false",
  "-ldflags",
  `-s -w ${linking}`.trimEnd(),
];

/**
 * The environment of `go`. Without a garbage collector Go's compiler takes a fifth less time.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} workspace a workspace file of the user must not change the build
 * @returns {NodeJS.ProcessEnv}
 */
export const goEnvironment = (env, workspace = "off") => ({
  ...env,
  GOGC: "off",
  GOMEMLIMIT: "1GiB",
  GOWORK: workspace,
});

/**
 * Builds programs with the dependencies that a module in scripts/engine pins.
 * @typedef {{ root: string, env: NodeJS.ProcessEnv, module: string, out: string, sources: string[] }} Build
 * @param {Build & { linking?: string }} options
 */
export const goBuild = ({ root, env, module, out, sources, linking }) =>
  runGo(root, env, module, ["build", ...buildFlags(linking), "-o", out, ...sources]);

/** @param {string} root @param {NodeJS.ProcessEnv} env @param {string} module @param {string[]} args */
export const runGo = (root, env, module, args) =>
  capture("go", args, { cwd: path.join(root, "scripts", "engine", module), env: goEnvironment(env) });
