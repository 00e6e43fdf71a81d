import { glob, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { makeOnce } from "./once";
import { CHECKOUT, npm } from "./packed";
import { startRegistry } from "./registry";

type Ranges = Readonly<Record<string, string>>;

/**
 * The folder in which npm has installed the packed package, whatever the examples and the template declare, and `@pulumi/policy`, which
 * docs/policy.md installs: a page declares nothing, so another package that one installs must be added here. Made once a test run.
 * Others' packages have the versions of this project's lockfile. npm says whether the declared ranges include them.
 */
export function packedInstallation(): Promise<string> {
  return makeOnce("installation", async (draft) => {
    await using registry = await startRegistry();
    const { devDependencies, peerDependencies } = await readManifest("package.json");
    const declared = await readDeclared({ "@pulumi/policy": peerDependencies["@pulumi/policy"] });
    const packages = Object.entries(declared).map(
      ([name, range]) => `${name}@${ownPackage.test(name) ? range : devDependencies[name]}`,
    );
    await npm(["install", ...packages], draft, registry.env);
    await writeFile(path.join(draft, "package.json"), JSON.stringify({ private: true, dependencies: declared }));
    await npm(["ls"], draft);
  });
}

const ownPackage = /event-datasets/;

/** @throws Error if two of them declare different ranges of a package: then only one of the ranges would be tried */
async function readDeclared(more: Ranges): Promise<Ranges> {
  const exclude = (name: string) => path.basename(name) === "node_modules";
  const files = glob(["examples/**/package.json", "template/package.json"], { cwd: CHECKOUT, exclude });
  const declared: Record<string, string> = { ...more };
  for await (const file of files) {
    const { dependencies, devDependencies } = await readManifest(file);
    for (const [name, range] of Object.entries<string>({ ...dependencies, ...devDependencies })) {
      declared[name] ??= range;
      if (declared[name] !== range) throw new Error(`${file}: ${name} ${range} is ${declared[name]} elsewhere`);
    }
  }
  return declared;
}

const readManifest = async (file: string) => JSON.parse(await readFile(path.join(CHECKOUT, file), "utf8"));
