import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { parseJson } from "../audit/jsonFile";
import { fromEnvironment, resolveSettings } from "../sdk";
import { version } from "../sdk/version";
import { isObject } from "../values/json";
import { findProjectFile } from "./auditBackend";
import type { Command, Io } from "./command";
import { type Check, checkService, fail, findUses, missAnswer, pass, skip } from "./doctor/service";
import { checkProxy, checkSettings, type StackConfig, stackConfigOf } from "./doctor/settings";
import { withProgress } from "./progress";
import { runPulumi } from "./pulumi";
import { count, say } from "./text";

const signs = {
  ok: "ok",
  advice: "ADVICE",
  problem: "PROBLEM",
  unknown: "-",
  silent: "NO ANSWER",
} as const satisfies Record<Check["state"], string>;

/** Checks the settings and the connection, and shows where each setting came from. */
export const doctor: Command<"doctor"> = {
  async run(_values, io) {
    const folder = process.cwd();
    const config = await withProgress(say`reading the stack config`, io.progress, configOf(folder, io));
    const settings = checkSettings(io.env, config);
    const canAsk = "settings" in resolveSettings([fromEnvironment({ ...io.env })]);
    const isMissing = settings.some(({ state }) => state === "problem");
    const unasked = isMissing
      ? []
      : [missAnswer("not checked: commands take their settings from the environment only")];
    const project = findProjectFile(folder);
    const uses = project === undefined ? {} : await findUses(path.dirname(project));
    const service = canAsk ? await checkService(io, uses) : unasked;
    const versions = await withProgress(say`asking the engine`, io.progress, checkVersions(folder, project, io));
    const isSilent = service.some(({ state }) => state === "silent");
    const sections = {
      Settings: [...settings, ...checkProxy(io.env)],
      Service: service,
      Versions: versions,
    };
    for (const [title, checks] of Object.entries(sections).filter(([, checks]) => checks.length > 0)) {
      io.print(say`${title}`);
      for (const { state, text } of checks) io.print(say`  ${signs[state].padEnd(9)}  ${text}`);
    }
    const all = Object.values(sections).flat();
    const problems = all.filter(({ state }) => state === "problem").length;
    const found = problems === 0 ? "no problems found" : `${count(problems, "problem")} found`;
    const silence = `could not check: the service could not be reached${problems > 0 ? `; ${found}` : ""}`;
    io.print(say`${isSilent ? silence : found}`);
    if (isSilent) return 2;
    return problems > 0 ? 1 : 0;
  },
};

/** The config of the selected stack; undefined if there is no project, no engine or no stack. */
async function configOf(folder: string, io: Io): Promise<StackConfig | undefined> {
  if (findProjectFile(folder) === undefined) return undefined;
  try {
    return stackConfigOf(parseJson(await runPulumi(["config", "--json"], "the stack config", io), "the stack config"));
  } catch {
    return undefined; // the section about versions says what is wrong with the engine
  }
}

const packageName = "pulumi-event-datasets";

/** The oldest SDK and engine that the provider works with: older ones drop what a refresh finds. */
const oldest = [3, 216] as const;

/**
 * Checks the versions of Node.js, the packages and the engine that a program in the folder uses.
 * @param project the file of the project that the folder belongs to: without one nothing has to be installed
 */
export async function checkVersions(folder: string, project: string | undefined, io: Io): Promise<Check[]> {
  const isNode = project !== undefined && /\bnodejs\b/.test(await readFile(project, "utf8").catch(() => ""));
  return [
    pass(`Node.js ${process.versions.node}`), // an older one gets no further than the start of the command
    pass(`${packageName} ${version}`),
    await checkEngine(io, project === undefined ? skip : fail),
    await checkSdk(folder, isNode ? fail : skip),
    await checkDependency(folder),
  ];
}

async function checkEngine(io: Io, miss: typeof fail): Promise<Check> {
  try {
    return judgeVersion("Pulumi engine", (await runPulumi(["version"], "the engine", io)).trim().replace(/^v/, ""));
  } catch (failure) {
    return miss(`Pulumi engine: ${(failure as Error).message}`);
  }
}

async function checkSdk(folder: string, miss: typeof fail): Promise<Check> {
  try {
    const file = createRequire(path.join(folder, "program")).resolve("@pulumi/pulumi/package.json");
    return judgeVersion("@pulumi/pulumi", String((await jsonOf(file))?.version));
  } catch {
    return miss(`@pulumi/pulumi: not installed for programs in ${folder}: npm install @pulumi/pulumi`);
  }
}

function judgeVersion(name: string, found: string): Check {
  const [major = 0, minor = 0] = found.split(".").map(Number);
  const isOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
  if (Number.isNaN(major) || Number.isNaN(minor)) return skip(`${name}: ${found}`);
  return isOld ? fail(`${name} ${found}: ${oldest.join(".")} or newer is needed`) : pass(`${name} ${found}`);
}

/** The engine loads the provider from the program's folder, where what is only a dependency of a dependency need not be. */
async function checkDependency(folder: string): Promise<Check> {
  const manifest = await jsonOf(path.join(folder, "package.json"));
  if (!manifest) return skip(`${folder} has no package.json, so there is no Node.js program here`);
  const direct = ["dependencies", "devDependencies", "optionalDependencies"].some((kind) => {
    const names = manifest[kind];
    return isObject(names) && Object.hasOwn(names, packageName);
  });
  if (direct || manifest.name === packageName) return pass(`${packageName} is a direct dependency of the program`);
  return fail(`${packageName} is not in the package.json of ${folder}: npm install ${packageName}`);
}

const jsonOf = async (file: string): Promise<Readonly<Record<string, unknown>> | undefined> => {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
