import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { bundleModule, bundlePlugin, Declarations, modulesOf, type Place, schemaOf } from "../../framework/build";
import type { Form } from "../support/program";
import { toy } from "./toy";

const root = join(__dirname, "../..");
const file = "tests/framework/toy.ts";

/** The package schema of the toy. */
export const schema = schemaOf({
  declarations: new Declarations(root, [file]),
  provider: toy,
  entry: file,
  fileOf: () => file,
});

/** The toy as its users get it: the files of its package in a program, and its plugin. */
export async function buildToy(place: Place = { file: "tests/framework/toy", name: "toy" }) {
  const plugins = await mkdtemp(join(tmpdir(), "toy-"));
  await symlink(join(root, "node_modules"), join(plugins, "node_modules"));
  const placeOf = (name: string) => ({ ...place, member: `.resources.${name}` });
  const sources = { "index.js": `export * from "./tests/framework/toy";`, ...modulesOf(toy, placeOf, ".") };
  const files: Record<string, string> = {};
  for (const [name, source] of Object.entries(sources)) {
    const text = await bundleModule(root, name, source);
    files[join("node_modules/toy-counters", name.replace(/\.ts$/, ".js"))] = text;
  }
  const schemaFile = join(plugins, "schema.json");
  await writeFile(schemaFile, JSON.stringify(schema));
  await bundlePlugin(root, place, schemaFile, join(plugins, "pulumi-resource-toy"), { packages: "external" });
  return {
    files,
    PATH: [plugins, process.env.PATH].join(delimiter),
    [Symbol.asyncDispose]: () => rm(plugins, { recursive: true, force: true }),
  };
}

/** The class of the native form: only its type differs. */
const native = `class extends pulumi.CustomResource {
  constructor(name, args, options) { super("toy:index:Counter", name, { ...args, secretKey: undefined }, options); }
}`;

/** The beginning of a program with the class `Counter`. */
export const headOf = (form: Form): string => `const pulumi = require("@pulumi/pulumi");
const Counter = ${form === "dynamic" ? `require("toy-counters").Counter` : native};
`;
