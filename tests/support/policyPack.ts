import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
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
  await writeFile(script, `#!/bin/sh\nexec "${process.execPath}" "${host}" "$1" "$2"\n`);
  await chmod(script, 0o755);
  return folder;
}
