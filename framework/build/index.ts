import { chmod } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";
import type { ResourceDefinition } from "../definition";

/** A value in the source tree: the export `name` of `file`, or a member of this export, as in `.resources.Counter`. */
export interface Place {
  /** The path below the root, without the file name extension. */
  readonly file: string;
  readonly name: string;
  readonly member?: string;
}

/**
 * The sources of the modules that states name, by file. Each module has only its own resource, so that a process does not load
 * the others.
 * @param placeOf where a resource with its lifecycle is
 * @param folder of the modules' names
 */
export function modulesOf(
  { resources }: { readonly resources: Readonly<Record<string, { readonly definition: ResourceDefinition }>> },
  placeOf: (resource: string) => Place,
  folder: string,
): Record<string, string> {
  const modules = Object.entries(resources).map(([name, { definition }]) => {
    const file = `${folder}/${definition.module}.ts`;
    const place = placeOf(name);
    const imports = [{ file: "framework/dynamic/adapter", name: "dynamicForm" }, place];
    const lines = imports.sort(byFile).map((one) => importOf(dirname(file), one));
    const expression = `${place.name}${place.member ?? ""}`;
    return [file, [...lines, "", `export const handler = () => dynamicForm(${expression});\n`].join("\n")];
  });
  return Object.fromEntries(modules);
}

/**
 * Bundles a module, without the packages that it imports.
 * @param file its name below the root; there need not be a folder for it
 */
export async function bundleModule(root: string, file: string, source: string): Promise<string> {
  const contents = source.replace(/(?<=from ")\.[^"]*/g, (way) => resolve(root, dirname(file), way));
  const { outputFiles } = await build({
    ...options,
    stdin: { contents, resolveDir: root, loader: "ts" },
    write: false,
    packages: "external",
  });
  return outputFiles.map(({ text }) => text).join("");
}

/**
 * Bundles the plugin of a provider into one file that the engine starts.
 * @param schema the path of the file with the package schema
 * @param more options of the bundler
 * @returns what is in it
 */
export async function bundlePlugin(
  root: string,
  provider: Place,
  schema: string,
  outfile: string,
  more: BuildOptions = {},
): Promise<Metafile> {
  const load = `({ provider: require("./${provider.file}").${provider.name}${provider.member ?? ""}, schema: require(${JSON.stringify(resolve(root, schema))}) })`;
  const contents = `import { runPlugin } from "./framework/native/main";\nrunPlugin(() => ${load});\n`;
  const { metafile } = await build({
    ...options,
    ...more,
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, loader: "ts" },
    outfile,
    metafile: true as const,
    banner: { js: "#!/usr/bin/env node" },
  });
  await chmod(outfile, 0o755);
  if (!metafile) throw new Error("the list of the bundle's contents is missing");
  return metafile;
}

const options = { bundle: true, platform: "node", target: "node22", logLevel: "warning" } as const;

const byFile = (one: Place, other: Place): number => (one.file < other.file ? -1 : 1);

function importOf(folder: string, { file, name }: Place): string {
  const way = relative(folder, file);
  return `import { ${name} } from "${way.startsWith(".") ? way : `./${way}`}";`;
}

export { Declarations } from "./declarations";
export { schemaOf } from "./schema";
