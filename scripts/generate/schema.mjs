// @ts-check
import { Declarations } from "./declarations.mjs";
import { loadSource, readSource } from "./sources.mjs";
import { PACKAGE, Types, token } from "./types.mjs";

/** Exports what programs import. */
const INDEX = "provider/index.ts";

/** Results that are not named after their function. @type {Readonly<Record<string, string>>} */
const RESULTS = { getToken: "Token" };

/** What the generators of the SDKs need to know of each language. */
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
  const { version, license } = JSON.parse(await readSource(root, "package.json"));
  const declarations = Declarations.of(root);
  const types = new Types(declarations);
  const { resourceDefinitions, lookups } = await loadSource(root, "provider/nouns.ts");
  /** @type {[string, Definition][]} */
  const definitions = Object.entries(resourceDefinitions);
  const resources = Object.fromEntries(
    definitions.map(([name, definition]) => [token(name), resourceOf(declarations, types, name, definition)]),
  );
  const functions = Object.fromEntries(
    Object.keys(lookups).map((name) => [token(name), functionOf(declarations, types, name)]),
  );
  const provider = types.objectOf("Provider", declarations.typeOf(INDEX, "ProviderArgs"));
  const schema = {
    name: PACKAGE,
    displayName: "Event datasets",
    version,
    description: "API tokens, annotations and queries of an event-data service.",
    license,
    meta: { moduleFormat: "(.*)" },
    config: { variables: provider.properties },
    types: Object.fromEntries([...types.named].sort(([a], [b]) => (a < b ? -1 : 1))),
    provider: {
      description: declarations.describe(declarations.symbolOf(INDEX, "Provider")),
      inputProperties: provider.properties,
      requiredInputs: provider.required,
    },
    resources,
    functions,
    language: LANGUAGES,
  };
  return { "schema.json": `${JSON.stringify(schema, undefined, 2)}\n` };
}

/** @typedef {{ properties: Record<string, { kind: string, computed?: true }>, component?: true }} Definition */

/** @param {string} name */
const lowerFirst = (name) => name[0]?.toLowerCase() + name.slice(1);
/** @param {string} name */
const upperFirst = (name) => name[0]?.toUpperCase() + name.slice(1);

/**
 * A resource from its definition; types and texts are those of its arguments and its class.
 * @param {Declarations} declarations
 * @param {Types} types
 * @param {string} name
 * @param {Definition} definition
 */
function resourceOf(declarations, types, name, { properties: table, component }) {
  const folder = `provider/${lowerFirst(name)}`;
  const inputs = types.objectOf(name, declarations.typeOf(`${folder}/args.ts`, `${name}Args`));
  const names = Object.keys(table);
  const kindOf = (/** @type {string} */ key) => table[key]?.kind;
  const outputs = names.filter((key) => ["output", "derived"].includes(kindOf(key) ?? ""));
  const completed = component ? [] : names.filter((key) => kindOf(key) === "argument" && table[key]?.computed);
  const own = types.objectOf(name, declarations.typeOf(`${folder}/resource.ts`, name), [...outputs, ...completed]);
  const { properties, required = [] } = inputs;
  const declared = Object.entries(properties).filter(([key]) => kindOf(key) === "argument");
  return {
    description: declarations.describe(declarations.symbolOf(`${folder}/resource.ts`, name)),
    properties: { ...Object.fromEntries(declared), ...own.properties },
    required: [...new Set([...required, ...(own.required ?? [])])],
    inputProperties: properties,
    requiredInputs: required,
    ...(component ? {} : { aliases: [{ type: `pulumi-nodejs:${PACKAGE}:${name}` }] }),
  };
}

/**
 * @param {Declarations} declarations
 * @param {Types} types
 * @param {string} name
 */
function functionOf(declarations, types, name) {
  const result = RESULTS[name] ?? `${upperFirst(name)}Result`;
  const outputs =
    name === "queryApl"
      ? types.eitherOf(result, declarations.typeOf("provider/lookups/queryApl.ts", "QueryAplResults"))
      : types.objectOf(result, declarations.typeOf(INDEX, result));
  return {
    description: declarations.describe(declarations.symbolOf(INDEX, name)),
    inputs: types.objectOf(name, declarations.typeOf(INDEX, `${upperFirst(name)}Args`)),
    outputs,
  };
}
