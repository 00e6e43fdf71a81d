// @ts-check
import { Declarations } from "./declarations.mjs";
import { readExamples } from "./languageExamples.mjs";
import { loadSource, readSource } from "./sources.mjs";
import { PACKAGE, Types, token } from "./types.mjs";

/** Exports what programs import. */
const INDEX = "provider/index.ts";

/** Results that are not named after their function. @type {Readonly<Record<string, string>>} */
const RESULTS = { getToken: "Token" };

/** The registry sorts packages by these keywords. */
const CATEGORIES = ["category/monitoring", "kind/native"];

/** Settings of the generators of SDKs, by language. */
const LANGUAGES = {
  nodejs: { packageName: "pulumi-event-datasets-native", respectSchemaVersion: true },
  python: { packageName: "pulumi_event_datasets", respectSchemaVersion: true, pyproject: { enabled: true } },
  go: {
    importBasePath: "pulumi-event-datasets-go/eventdatasets",
    rootPackageName: "eventdatasets",
    respectSchemaVersion: true,
    generateResourceContainerTypes: true,
  },
  csharp: { namespaces: { [PACKAGE]: "EventDatasets" }, respectSchemaVersion: true },
};

/**
 * The schema that the SDKs of the native plugin are generated from, in every language: from the classes and the argument
 * types of TypeScript programs, with their doc comments.
 * @type {import("./produce.mjs").Make}
 */
export async function makeSchema(root) {
  const manifest = JSON.parse(await readSource(root, "package.json"));
  const declarations = Declarations.of(root);
  const types = new Types(declarations);
  const exampleOf = await readExamples(root);
  /** @type {import("../../provider/nouns.js")} */
  const { resourceDefinitions, lookups } = await loadSource(root, "provider/nouns.ts");
  const { environmentNames } = await loadSource(root, "sdk/settings.ts");
  const resources = Object.entries(resourceDefinitions).map(([name, definition]) => {
    const { description, ...resource } = resourceOf(declarations, types, name, definition);
    return [token(name), { description: `${description}\n\n${exampleOf(name)}`, ...resource }];
  });
  const functions = Object.entries(lookups).map(([name, lookup]) => {
    const { description, ...rest } = functionOf(declarations, types, name, lookup.arguments);
    return [token(name), { description: `${description}\n\n${exampleOf(name)}`, ...rest }];
  });
  const provider = types.objectOf("Provider", declarations.typeOf(INDEX, "ProviderArgs"));
  const schema = {
    name: PACKAGE,
    displayName: "Event datasets",
    version: manifest.version,
    description: "API tokens, annotations and queries of an event-data service.",
    keywords: [...manifest.keywords.filter((/** @type {string} */ word) => word !== "dynamic-provider"), ...CATEGORIES],
    ...publicationOf(manifest),
    license: manifest.license,
    meta: { moduleFormat: "(.*)" },
    config: { variables: configurationOf(provider.properties, environmentNames) },
    types: Object.fromEntries([...types.named].sort(([a], [b]) => (a < b ? -1 : 1))),
    provider: {
      description: `${declarations.describe(declarations.symbolOf(INDEX, "Provider"))}\n\n${exampleOf("Provider")}`,
      inputProperties: provider.properties,
      requiredInputs: provider.required,
    },
    resources: Object.fromEntries(resources),
    functions: Object.fromEntries(functions),
    language: LANGUAGES,
  };
  return { "schema.json": `${JSON.stringify(schema, undefined, 2)}\n` };
}

/**
 * Where the package is published, as far as package.json says. `scripts/release.mjs` writes it there, from one setting.
 * @param {{ author?: string, homepage?: string, repository?: { url: string }, config?: { pluginDownloadURL?: string } }} manifest
 */
export function publicationOf({ author, homepage, repository, config }) {
  const places = {
    publisher: author,
    homepage,
    repository: repository?.url.replace(/^git\+|\.git$/g, ""),
    pluginDownloadURL: config?.pluginDownloadURL,
  };
  return Object.fromEntries(Object.entries(places).filter(([, value]) => value !== undefined));
}

/**
 * The stack's config: the arguments of an explicit provider, of which none is required. In Node.js a config variable of a
 * closed list of words is read as JSON, so it is a text here.
 * @param {Readonly<Record<string, import("./types.mjs").Spec>>} properties
 * @param {Readonly<Record<string, string>>} environmentNames
 */
const configurationOf = (properties, environmentNames) =>
  Object.fromEntries(
    Object.entries(properties).map(([key, { description, $ref, ...spec }]) => [
      key,
      {
        ...($ref ? { type: "string" } : {}),
        ...spec,
        description: `${description} The environment variable \`${environmentNames[key]}\` takes precedence.`,
      },
    ]),
  );

/** @typedef {import("../../framework/definition.js").ResourceDefinition} Definition */

/** @param {string} name */
export const lowerFirst = (name) => name[0]?.toLowerCase() + name.slice(1);
/** @param {string} name */
export const upperFirst = (name) => name[0]?.toUpperCase() + name.slice(1);

/**
 * A resource from its definition; types and texts are those of its arguments and its class.
 * @param {Declarations} declarations
 * @param {Types} types
 * @param {string} name
 * @param {Definition} definition
 */
function resourceOf(declarations, types, name, { properties: table }) {
  const folder = `provider/${lowerFirst(name)}`;
  const inputs = types.objectOf(name, declarations.typeOf(`${folder}/definition.ts`, `${name}Args`));
  const { properties, required = [] } = inputs;
  const replacing = Object.entries(properties).map(([key, spec]) => [
    key,
    table[key]?.replaces === true ? { ...spec, willReplaceOnChanges: true } : spec,
  ]);
  const names = Object.keys(table).filter((key) => !["hint", "record"].includes(table[key]?.kind ?? ""));
  const made = names.filter((key) => table[key]?.kind !== undefined);
  const own = types.objectOf(name, declarations.typeOf(`${folder}/definition.ts`, `${name}Outputs`), made);
  // A default is one of an argument.
  const outputs = Object.entries({ ...properties, ...own.properties }).map(([key, { default: _, ...spec }]) => [
    key,
    spec,
  ]);
  return {
    description: describeClass(declarations, `${folder}/resource.ts`, name),
    properties: Object.fromEntries(outputs.filter(([key]) => names.includes(/** @type {string} */ (key)))),
    required: names.filter((key) => (table[key]?.required ?? table[key]?.always) !== undefined),
    inputProperties: Object.fromEntries(replacing),
    requiredInputs: required,
    aliases: [{ type: `pulumi-nodejs:${PACKAGE}:${name}` }],
  };
}

/**
 * @param {Declarations} declarations
 * @param {Types} types
 * @param {string} name
 * @param {Readonly<Record<string, import("../../framework/shapes.js").Shape>>} shapes
 */
function functionOf(declarations, types, name, shapes) {
  const result = RESULTS[name] ?? `${upperFirst(name)}Result`;
  const outputs =
    name === "queryApl"
      ? types.eitherOf(result, declarations.typeOf("provider/lookups/queryApl.ts", "QueryAplResults"))
      : types.objectOf(result, declarations.typeOf(INDEX, result));
  const inputs = types.objectOf(name, declarations.typeOf(INDEX, `${upperFirst(name)}Args`));
  for (const [key, spec] of Object.entries(inputs.properties)) if (isInteger(shapes[key])) spec.type = "integer";
  return { description: declarations.describe(declarations.symbolOf(INDEX, name)), inputs, outputs };
}

/** @param {Declarations} declarations @param {string} file @param {string} name */
function describeClass(declarations, file, name) {
  const description = declarations.describe(declarations.symbolOf(file, name));
  if (description === undefined) throw new Error(`${file}: ${name} has no doc comment`);
  return description;
}

/** @param {import("../../framework/shapes.js").Shape | undefined} shape */
const isInteger = (shape) => shape !== undefined && shape.judge(1).length === 0 && shape.judge(1.5).length > 0;
