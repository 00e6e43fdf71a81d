import { existsSync } from "node:fs";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";

// In place of `npm install [--prefix FOLDER] [--save-dev] [PACKAGE…]`: links what package.json declares, and the packages that the
// command names, to the installation in the first argument. What is not declared cannot be imported, as with pnpm.

const [installation = "", ...args] = process.argv.slice(2);
const { values, positionals } = parseArgs({
  args,
  allowPositionals: true,
  options: { prefix: { type: "string", default: "." }, "save-dev": { type: "boolean" } },
});
const manifestFile = path.join(values.prefix, "package.json");
const modules = path.join(values.prefix, "node_modules");

const readManifest = async (file: string) => JSON.parse(await readFile(file, "utf8"));

async function link(target: string, name: string): Promise<void> {
  const place = path.join(modules, name);
  await mkdir(path.dirname(place), { recursive: true });
  await symlink(target, place);
}

const manifest = existsSync(manifestFile) ? await readManifest(manifestFile) : {};
const named: string[] = [];
for (const one of positionals.slice(1)) {
  const [, name = one, wanted] = /^(.+)@(.+)$/.exec(one) ?? [];
  const { version } = await readManifest(path.join(installation, "node_modules", name, "package.json"));
  if (wanted !== undefined && !`${version}.`.startsWith(`${wanted}.`))
    throw new Error(`${one}: installed is ${version}`);
  named.push(name);
}
const kind = values["save-dev"] ? "devDependencies" : "dependencies";
manifest[kind] = { ...manifest[kind], ...Object.fromEntries(named.map((one) => [one, "*"])) };
await writeFile(manifestFile, JSON.stringify(manifest));

await rm(modules, { recursive: true, force: true });
for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
  const installed = path.join(installation, "node_modules", name);
  const { bin = {} } = await readManifest(path.join(installed, "package.json"));
  await link(installed, name);
  const commands: Record<string, string> = typeof bin === "string" ? { [path.basename(name)]: bin } : bin;
  for (const [command, file] of Object.entries(commands)) await link(path.join(installed, file), `.bin/${command}`);
}
