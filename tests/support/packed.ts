import { execFile } from "node:child_process";
import { access, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { PACKED_INSTALLATIONS } from "./packedInstallations";

const CHECKOUT = path.resolve(__dirname, "../..");

/** What `npm pack` says of a package. */
export interface Packed {
  /** The tarball. */
  readonly file: string;
  readonly integrity: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** The package as it is published; packed once a test run, by whichever worker needs it first. */
export async function packedPackage(): Promise<Packed> {
  const folder = await makeOnce("package", async (draft) => {
    await writeFile(path.join(draft, "pack.json"), JSON.stringify(await pack("--pack-destination", draft)));
  });
  const { filename, ...said } = JSON.parse(await readFile(path.join(folder, "pack.json"), "utf8"));
  return { ...said, file: path.join(folder, filename) };
}

/** Runs `npm pack` on the checkout. */
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

/** Makes a folder of the test run, unless another worker has: it waits for one that is about it. */
async function makeOnce(name: string, make: (draft: string) => Promise<void>): Promise<string> {
  const base = process.env[PACKED_INSTALLATIONS];
  if (!base) throw new Error(`${PACKED_INSTALLATIONS} is not set: jest's global setup did not run`);
  const folder = path.join(base, name);
  const draft = `${folder}-draft`;
  while (!(await isThere(folder))) {
    const mine = await mkdir(draft).then(
      () => true,
      (failure: NodeJS.ErrnoException) => {
        if (failure.code !== "EEXIST") throw failure;
        return false;
      },
    );
    if (!mine) {
      await sleep(200);
      continue;
    }
    try {
      if (await isThere(folder)) break; // since it was looked for
      await make(draft);
      await rename(draft, folder);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  return folder;
}

const isThere = (folder: string): Promise<boolean> =>
  access(folder).then(
    () => true,
    () => false,
  );

async function npm(args: string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)("npm", args, { cwd, timeout: 300_000, maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}
