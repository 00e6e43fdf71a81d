import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { makeOnce } from "./once";

export const CHECKOUT = path.resolve(__dirname, "../..");

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
async function pack(...options: string[]): Promise<Omit<Packed, "file"> & { readonly filename: string }> {
  const answer = JSON.parse(await npm(["pack", "--json", ...options], CHECKOUT));
  return (Array.isArray(answer) ? answer : Object.values(answer))[0];
}

export async function npm(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const settings = { cwd, env: { ...process.env, ...env }, maxBuffer: 16 * 1024 * 1024 };
  return (await promisify(execFile)("npm", args, settings)).stdout;
}
