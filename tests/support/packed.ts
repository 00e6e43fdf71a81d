import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { makeOnce } from "./once";

const CHECKOUT = path.resolve(__dirname, "../..");

/** The output of `npm pack` about a package. */
export interface Packed {
  /** The tarball. */
  readonly file: string;
  readonly integrity: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** The package as it is published; packed once a test run, by whichever worker needs it first. */
export const packedPackage = (): Promise<Packed> => packOnce("package");

/** The emulator's package, likewise. */
export const packedEmulator = (): Promise<Packed> => packOnce("emulator-package", "--workspace", "emulator");

async function packOnce(name: string, ...options: string[]): Promise<Packed> {
  const folder = await makeOnce(name, async (draft) => {
    await writeFile(path.join(draft, "pack.json"), JSON.stringify(await pack("--pack-destination", draft, ...options)));
  });
  const { filename, ...said } = JSON.parse(await readFile(path.join(folder, "pack.json"), "utf8"));
  return { ...said, file: path.join(folder, filename) };
}

/** Runs `npm pack` on the checkout; `--workspace emulator` is for the emulator's package. */
export async function pack(...options: string[]): Promise<Omit<Packed, "file"> & { readonly filename: string }> {
  const answer = JSON.parse(await npm(["pack", "--json", ...options], CHECKOUT));
  return (Array.isArray(answer) ? answer : Object.values(answer))[0];
}

/** The folder in which the packed package is installed; made once a test run, too. */
export function packedInstallation(): Promise<string> {
  return makeOnce("installation", async (draft) => {
    const { file } = await packedPackage();
    const { devDependencies } = JSON.parse(await readFile(path.join(CHECKOUT, "package.json"), "utf8"));
    const peers = ["@pulumi/pulumi", "typescript", "@types/node"].map((peer) => `${peer}@${devDependencies[peer]}`);
    await writeFile(path.join(draft, "package.json"), `${JSON.stringify({ name: "packed", private: true })}\n`);
    await npm(["install", "--prefer-offline", "--no-audit", "--no-fund", "--save-exact", file, ...peers], draft);
  });
}

/** The folder with the same packages and with every other one that an example declares: its `node_modules`. */
export async function installedPackages(): Promise<string> {
  const installation = await makeOnce("examples", async (draft) => {
    await copyTree(`${await packedInstallation()}/.`, draft);
    const { file } = await packedEmulator();
    await npm(["install", "--prefer-offline", "--no-audit", "--no-fund", file, ...(await examplePackages())], draft);
  });
  return path.join(installation, "node_modules");
}

/** The packages of all examples with their ranges, without this project's own. */
async function examplePackages(): Promise<string[]> {
  const examples = path.join(CHECKOUT, "examples");
  const files = (await readdir(examples, { recursive: true })).filter((name) => path.basename(name) === "package.json");
  const manifests = files
    .filter((name) => !name.includes("node_modules"))
    .map(async (name) => {
      const { dependencies, devDependencies } = JSON.parse(await readFile(path.join(examples, name), "utf8"));
      return Object.entries({ ...dependencies, ...devDependencies });
    });
  const all = Object.fromEntries((await Promise.all(manifests)).flat());
  const others = Object.entries(all).filter(([name]) => !/event-datasets/.test(name));
  return others.map(([name, range]) => `${name}@${range}`);
}

/**
 * Puts the packages of all examples into each folder below this one that has a package.json, so that `npm install` there removes
 * what the example does not declare and downloads nothing. Saves about 10 of the 11 CPU seconds that each installation takes.
 */
export async function preinstall(folder: string): Promise<void> {
  const packages = await installedPackages();
  const files = await readdir(folder, { recursive: true });
  for (const file of files.filter((name) => path.basename(name) === "package.json"))
    await copyTree(packages, path.join(folder, path.dirname(file)));
}

/** Copies by hard links, with the times of folders: npm trusts its record of an installation only if nothing is newer. */
async function copyTree(from: string, to: string): Promise<void> {
  await promisify(execFile)("cp", ["-RPpl", from, to]);
}

async function npm(args: string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)("npm", args, { cwd, maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}
