import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { version } from "../../sdk/version";
import { isObject } from "../../values/json";
import type { Io } from "../command";
import { runPulumi } from "../pulumi";
import { type Check, fail, pass, skip } from "./service";

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
    return judge("Pulumi engine", (await runPulumi(["version"], "the engine", io)).trim().replace(/^v/, ""));
  } catch (failure) {
    return miss(`Pulumi engine: ${(failure as Error).message}`);
  }
}

async function checkSdk(folder: string, miss: typeof fail): Promise<Check> {
  try {
    const file = createRequire(path.join(folder, "program")).resolve("@pulumi/pulumi/package.json");
    return judge("@pulumi/pulumi", String((await jsonOf(file))?.version));
  } catch {
    return miss(`@pulumi/pulumi: not installed for programs in ${folder}: npm install @pulumi/pulumi`);
  }
}

function judge(name: string, found: string): Check {
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
