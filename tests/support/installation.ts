import { execFile } from "node:child_process";
import { glob, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { makeOnce } from "./once";
import { CHECKOUT, npm, packedEmulator, packedPackage } from "./packed";

type Ranges = Readonly<Record<string, string>>;

/**
 * A folder with both packed packages and with everything that they and the examples declare, and `@pulumi/policy`, which
 * docs/guides/auditInCi.md installs: a page declares nothing, so another package that a page installs must be added here. Made once a test run.
 * Others' packages are links to this checkout, and npm says whether the declared ranges include their versions. A package that
 * none of them declares cannot be imported.
 */
export function packedInstallation(): Promise<string> {
  return makeOnce("installation", async (draft) => {
    const { peerDependencies } = await readManifest(path.join(CHECKOUT, "package.json"));
    const declared = { ...(await readDeclared({ "@pulumi/policy": peerDependencies["@pulumi/policy"] })) };
    const modules = path.join(draft, "node_modules");
    const own = { "pulumi-event-datasets": await packedPackage(), "event-datasets-emulator": await packedEmulator() };
    for (const [name, { file }] of Object.entries(own)) {
      const folder = path.join(modules, name);
      await mkdir(folder, { recursive: true });
      await promisify(execFile)("tar", ["xzf", file, "-C", folder, "--strip-components=1"]);
      const { dependencies } = await readManifest(path.join(folder, "package.json"));
      declare(declared, name, dependencies);
    }
    for (const name of Object.keys(declared).filter((name) => !(name in own))) {
      const place = path.join(modules, name);
      await mkdir(path.dirname(place), { recursive: true });
      await symlink(path.join(CHECKOUT, "node_modules", name), place);
    }
    await writeFile(path.join(draft, "package.json"), JSON.stringify({ private: true, dependencies: declared }));
    await npm(["ls", "--depth=0"], draft);
  });
}

async function readDeclared(more: Ranges): Promise<Ranges> {
  const exclude = (name: string) => path.basename(name) === "node_modules";
  const files = glob("examples/**/package.json", { cwd: CHECKOUT, exclude });
  const declared: Record<string, string> = { ...more };
  for await (const file of files) {
    const { dependencies, devDependencies } = await readManifest(path.join(CHECKOUT, file));
    declare(declared, file, { ...dependencies, ...devDependencies });
  }
  return declared;
}

/** @throws Error if another place declares another range: then only one of the ranges would be tried */
function declare(declared: Record<string, string>, place: string, ranges: Ranges): void {
  for (const [name, range] of Object.entries(ranges)) {
    declared[name] ??= range;
    if (declared[name] !== range) throw new Error(`${place}: ${name} ${range} is ${declared[name]} elsewhere`);
  }
}

const readManifest = async (file: string) => JSON.parse(await readFile(file, "utf8"));
