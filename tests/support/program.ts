import { existsSync } from "node:fs";
import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { requireBuild } from "./build";
import { packedInstallation } from "./installation";
import { CHECKOUT } from "./packed";
import { keepForTypeCheck } from "./programTypes";

export { CHECKOUT };

const PACKAGE = "pulumi-event-datasets";

/**
 * How a program finds its packages: `linked` to the checkout (fast, always the last build), by `one link` to all of it as a
 * dependency on a folder is, or `packed`: from the tarball, as a user would install it.
 */
export type Installation = "linked" | "one link" | "packed";

/** Files by name, or a folder to copy. */
export type ProgramSource = Readonly<Record<string, string>> | string;

/** Writes a complete Pulumi program; `Pulumi.yaml` and `package.json` are added where they are missing. */
export async function writeProgram(folder: string, source: ProgramSource, installation: Installation): Promise<void> {
  requireBuild();
  await mkdir(folder, { recursive: true });
  if (typeof source === "string") {
    await cp(source, folder, { recursive: true, filter: (file) => path.basename(file) !== "node_modules" });
  } else {
    for (const [name, content] of Object.entries(source)) await writeInto(folder, name, content);
  }
  await writeIfMissing(folder, "Pulumi.yaml", "name: e2e\nruntime: nodejs\n");
  await writeIfMissing(folder, "package.json", `${JSON.stringify({ name: "e2e", private: true })}\n`);
  if (installation !== "packed") await link(folder, installation);
  else await symlink(path.join(await packedInstallation(), "node_modules"), path.join(folder, "node_modules"));
}

export async function writeInto(folder: string, name: string, content: string): Promise<void> {
  // A program that imports files of its own does not compile alone.
  if (name.endsWith(".ts") && !content.includes('from "./')) keepForTypeCheck(content);
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}

async function writeIfMissing(folder: string, name: string, content: string): Promise<void> {
  if (!existsSync(path.join(folder, name))) await writeInto(folder, name, content);
}

/** The parts of the checkout that a program can use. */
const PARTS = ["package.json", "dist", "schemas", "audit"];

/**
 * Links what a program declares itself; the rest is found from the checkout, because Node follows links. The language host
 * follows them too, to look for plugins: a link to the checkout would lead it through all that is installed there, each time.
 */
async function link(folder: string, how: "linked" | "one link"): Promise<void> {
  const modules = path.join(folder, "node_modules");
  const own = path.join(CHECKOUT, "node_modules");
  await mkdir(path.join(modules, "@pulumi"), { recursive: true });
  await mkdir(path.join(modules, "@types"), { recursive: true });
  if (how === "one link") await symlink(CHECKOUT, path.join(modules, PACKAGE));
  else {
    await mkdir(path.join(modules, PACKAGE));
    for (const name of PARTS) await symlink(path.join(CHECKOUT, name), path.join(modules, PACKAGE, name));
  }
  for (const name of ["@pulumi/pulumi", "@types/node", "typescript"]) {
    await symlink(path.join(own, name), path.join(modules, name));
  }
}
