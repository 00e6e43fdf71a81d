import { chmod, cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { compiledForPacks } from "./compiled";
import { CHECKOUT } from "./program";

/**
 * A folder for PATH with the program that starts policy packs of the runtime `script`. It runs the same host as the engine does
 * for `nodejs`: the host for Node.js programs that can be built from Go modules is older than the one that starts policy packs.
 */
export async function writePackStarter(root: string): Promise<string> {
  const folder = path.join(root, "scripts");
  await mkdir(folder);
  const script = path.join(folder, "pulumi-analyzer-policy-script");
  const host = path.join(CHECKOUT, "node_modules/@pulumi/pulumi/cmd/run-policy-pack");
  const compiled = await compiledForPacks();
  await writeFile(
    script,
    `#!/bin/sh\nexport NODE_COMPILE_CACHE="${compiled}"\nexec "${process.execPath}" "${host}" "$1" "$2"\n`,
  );
  await chmod(script, 0o755);
  return folder;
}

/** The published policy pack below a folder, with a runtime that this engine can start. Returns the folder of the pack. */
export async function layOutPack(root: string): Promise<string> {
  const folder = path.join(root, "package/audit/pack");
  await mkdir(folder, { recursive: true });
  await cp(path.join(CHECKOUT, "audit/pack/package.json"), path.join(folder, "package.json"));
  const project = await readFile(path.join(CHECKOUT, "audit/pack/PulumiPolicy.yaml"), "utf8");
  await writeFile(path.join(folder, "PulumiPolicy.yaml"), project.replace("name: nodejs", "name: script"));
  for (const name of ["dist", "node_modules"])
    await symlink(path.join(CHECKOUT, name), path.join(root, "package", name));
  return folder;
}
