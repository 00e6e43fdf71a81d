// @ts-check
import fs from "node:fs/promises";
import path from "node:path";
import { capture } from "../steps/run.mjs";
import { installProgram, LIMIT_MS, toolsOf } from "./install.mjs";

/** @typedef {import("./combinations.mjs").Combination} Combination */
/** @typedef {{ url: string, rootToken: string }} Service */
/** @typedef {{ root: string, folder: string, tarball: string, engine: string, service: Service }} Context */

/**
 * Installs a program in a new folder and deploys it: a real `up`, and a preview that must find nothing to do.
 * @param {Combination} combination
 * @param {Context} context folder: a folder that is made, and removed in the end
 * @throws Error with what was printed
 */
export async function deployCombination(combination, { root, folder, tarball, engine, service }) {
  const program = path.join(folder, "program");
  const home = path.join(folder, "home");
  const backend = path.join(folder, "backend");
  try {
    await fs.mkdir(home, { recursive: true });
    await fs.mkdir(backend, { recursive: true });
    const tools = await toolsOf(root, combination);
    const env = { ...withoutNpm(process.env), PATH: [...tools, engine, process.env.PATH].join(path.delimiter) };
    await installProgram(program, combination, tarball, env);
    /** @param {string[]} args @param {Record<string, string>} [more] */
    const pulumi = (args, more) =>
      capture("pulumi", args, {
        cwd: program,
        timeoutMs: LIMIT_MS,
        env: {
          ...env,
          PULUMI_HOME: home,
          PULUMI_BACKEND_URL: `file://${backend}`,
          PULUMI_CONFIG_PASSPHRASE: "a passphrase of the matrix",
          PULUMI_SKIP_UPDATE_CHECK: "true",
          EVENT_DATASETS_BASE_URL: service.url,
          EVENT_DATASETS_ACCESS_TOKEN: service.rootToken,
          ...more,
        },
      });
    await pulumi(["stack", "init", "dev"]);
    const printed = await pulumi(["up", "--yes", "--skip-preview", "--color", "never"]);
    // The types were checked by the update, for seconds.
    await pulumi(["preview", "--expect-no-changes"], { PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
    const name = /^ *tokenName *: "(ci-[0-9a-z]+)"$/m.exec(printed)?.[1];
    if (!name) throw new Error(`the stack's output is not the name of a token: ${printed}`);
    return { tokenName: name, node: (await capture("node", ["--version"], { env })).trim() };
  } finally {
    await fs.rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * The variables that npm sets for its scripts change how other package managers work.
 * @param {NodeJS.ProcessEnv} env
 */
const withoutNpm = (env) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^(npm_|NODE_OPTIONS$)/i.test(name)));
