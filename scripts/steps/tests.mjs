// @ts-check
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { withOwnBinaries } from "./dependencies.mjs";
import { capture } from "./run.mjs";

/** @typedef {{ paths: string[], env?: Record<string, string>, options?: Record<string, string> }} Suites */

const SEED = "EVENT_DATASETS_FUZZ_SEED";

/** The commands that run tests: paths and variables, and the variables that options set. */
/** @type {Readonly<Record<string, Suites>>} */
export const suites = {
  test: { paths: [] },
  /** Packs the package and checks it; only `test` and `managers` deploy with it. */
  package: { paths: ["tests/package", "--testPathIgnorePatterns", "tests/package/install"] },
  /** Deploys with every package manager, form of program, SDK and Node.js. */
  managers: { paths: ["tests/package/install"], env: { EVENT_DATASETS_EVERY_COMBINATION: "true" } },
  /** Every fault on real sockets. `generate` writes the outcomes into the table of design/reliability.md. */
  faults: { paths: ["tests/faults"] },
  /** The pictures of the documentation, in a real browser. */
  screenshots: { paths: ["tests/browser/screenshots"], env: { EVENT_DATASETS_WRITE_SCREENSHOTS: "true" } },
  /** Random input, audits and queries: many more than `test` tries. `--seed` repeats a failure. */
  fuzz: {
    /** Properties stand beside the other tests of their subject. */
    get paths() {
      const files = readdirSync("tests", { recursive: true, encoding: "utf8" }).map((file) => path.join("tests", file));
      const suites = files.filter((file) => file.endsWith(".test.ts"));
      return ["tests/fuzz", ...suites.filter((file) => readFileSync(file, "utf8").includes('from "fast-check"'))];
    },
    env: { EVENT_DATASETS_FUZZ_RUNS: "10000" },
    options: { runs: "EVENT_DATASETS_FUZZ_RUNS", seed: SEED },
  },
  /** Kills engine, provider and service at random instants of the real engine's commands. */
  kills: {
    paths: ["tests/kills"],
    env: { EVENT_DATASETS_KILL_INSTANTS: "200" },
    options: {
      instants: "EVENT_DATASETS_KILL_INSTANTS",
      form: "EVENT_DATASETS_KILL_FORM",
      only: "EVENT_DATASETS_KILL_ONLY",
      seed: SEED,
    },
  },
};

/**
 * Splits the arguments of a command into those for Jest and the variables that its own options set.
 * @param {string} name
 * @param {readonly string[]} args paths replace those of the command
 */
export function selectTests(name, args) {
  const { paths, env = {}, options = {} } = suites[name] ?? { paths: [] };
  const variables = { ...env };
  const rest = [...args];
  for (const [option, variable] of Object.entries(options)) {
    const at = rest.indexOf(`--${option}`);
    if (at < 0) continue;
    const [, value = ""] = rest.splice(at, 2);
    if (["runs", "seed", "instants"].includes(option) && !/^\d+$/.test(value))
      throw new Error(`--${option}: must be a whole number`);
    variables[variable] = value;
  }
  return { args: rest.some((one) => one.startsWith("tests/")) ? rest : [...paths, ...rest], env: variables };
}

/**
 * Finds which programs the selected test files need. Unit tests must not wait for the build of an engine, and most engine tests must
 * not wait for the hosts of other languages.
 * @param {string} root
 * @param {string[]} args as given to jest
 */
export async function findNeeds(root, args) {
  const listing = [jestOf(root), ...args.filter((one) => one !== "--json"), "--listTests"];
  const listed = await capture("node", listing, { cwd: root, env: withOwnBinaries(root) });
  const files = listed.split("\n").filter((line) => path.isAbsolute(line));
  const names = files.map((file) => path.relative(root, file));
  const languages = names.some(drivesLanguages);
  const engine = names.some((name, index) => drivesEngine(name, readFileSync(files[index] ?? "", "utf8")));
  return { engine: engine || languages, languages };
}

/** @param {string} file */
export const drivesLanguages = (file) => file.startsWith("tests/native/languages/");

/**
 * A suite outside of these folders is known by its import of `support/engine`, or by a comment that names it.
 * @param {string} file
 * @param {string} content
 */
export const drivesEngine = (file, content) =>
  /\/(e2e|kills)\//.test(file) || /(?:support|"\.)\/engine\b/.test(content);

/**
 * The arguments of `node` that start Jest, before Jest's own. Jest keeps a context for each test. With the default of Node.js 24, which
 * 22 knows as this option, it needs a sixth less CPU time.
 * @param {string} root
 */
export async function startOfJest(root) {
  const option = "--experimental-async-context-frame";
  const question = `process.allowedNodeEnvironmentFlags.has("${option}")`;
  const answer = await capture("node", ["-p", question], { cwd: root, env: withOwnBinaries(root) });
  return [...(answer.trim() === "true" ? [option] : []), jestOf(root)];
}

/** @param {string} root */
const jestOf = (root) => path.join(root, "node_modules", "jest", "bin", "jest.js");
