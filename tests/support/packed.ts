import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
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

async function npm(args: string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)("npm", args, { cwd, maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}
