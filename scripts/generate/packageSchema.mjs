// @ts-check
import { readExamples } from "./languageExamples.mjs";
import { loadSource, readSource } from "./sources.mjs";

/** Exports what programs import. */
export const INDEX = "provider/index.ts";

/** @param {string} noun */
export const definitionOf = (noun) => `provider/nouns/${lowerFirst(noun)}/definition.ts`;

/** The registry sorts packages by these keywords. */
const CATEGORIES = ["category/monitoring", "kind/native"];

/** The first page of an SDK. @param {string} language @param {string} example */
const readmeOf = (language, example) => `# Event datasets for Pulumi, in ${language}

Pulumi resources for [Axiom](https://axiom.co): API tokens that rotate before they expire, annotations of deployments, and query
gates. Works with any service that has Axiom's API. Not an official product of Axiom. This SDK needs the plugin of the npm package
[pulumi-event-datasets](https://www.npmjs.com/package/pulumi-event-datasets), whose guide "Python, YAML and Go" says how to install it.

${example}

Set \`EVENT_DATASETS_BASE_URL\` and \`EVENT_DATASETS_ACCESS_TOKEN\`, and run \`pulumi up\`. The guides of the npm package have every
program in ${language}.
`;

/**
 * Settings of the generators of SDKs, by language.
 * @param {string} namespace
 * @param {string} example in Python
 */
const languagesOf = (namespace, example) => ({
  nodejs: { packageName: "pulumi-event-datasets-native", respectSchemaVersion: true },
  python: {
    packageName: "pulumi_event_datasets",
    respectSchemaVersion: true,
    pyproject: { enabled: true },
    readme: readmeOf("Python", example),
  },
  go: {
    importBasePath: "pulumi-event-datasets-go/eventdatasets",
    rootPackageName: "eventdatasets",
    respectSchemaVersion: true,
    generateResourceContainerTypes: true,
  },
  csharp: { namespaces: { [namespace]: "EventDatasets" }, respectSchemaVersion: true },
});

/**
 * @typedef {Pick<typeof import("../../framework/build/types.js"), "Types" | "any"> & {
 *   declarations: import("../../framework/build/declarations.js").Declarations
 * }} Reader
 */
/** @type {Map<string, Promise<Reader>>} */
const opened = new Map();

/**
 * Reads the types and doc comments of the tree. Several generators do, and the compiler takes seconds.
 * @param {string} root
 */
export function openReader(root) {
  const open = async () => {
    const { Declarations } = await loadSource(root, "framework/build/index.ts");
    const { Types, any } = await loadSource(root, "framework/build/types.ts");
    return { declarations: new Declarations(root, [INDEX, "emulator/testing.ts"]), Types, any };
  };
  const reader = opened.get(root) ?? open();
  opened.set(root, reader);
  return reader;
}

/**
 * The schema that the SDKs of the native plugin are generated from, in every language.
 * @type {import("./produce.mjs").Make}
 */
export async function makeSchema(root) {
  const manifest = JSON.parse(await readSource(root, "package.json"));
  const { schemaOf } = await loadSource(root, "framework/build/index.ts");
  const { eventDatasets } = await loadSource(root, "provider/eventDatasets.ts");
  const { resources } = eventDatasets;
  // A type is named after the first noun that has it, so a new noun comes last.
  const published = Object.keys(JSON.parse(await readSource(root, "schema.json")).resources);
  const known = published.map((token) => token.replace(/.*:/, "")).filter((noun) => noun in resources);
  const nouns = [...known, ...Object.keys(resources)];
  const describe = await readExamples(root);
  const { environmentNames } = await loadSource(root, "sdk/settings.ts");
  const { name, version, ...parts } = schemaOf({
    declarations: (await openReader(root)).declarations,
    provider: { ...eventDatasets, resources: Object.fromEntries(nouns.map((noun) => [noun, resources[noun]])) },
    entry: INDEX,
    fileOf: definitionOf,
    describe,
    describeSetting: (/** @type {string} */ key, /** @type {string} */ description) =>
      `${description} The environment variable \`${environmentNames[key]}\` takes precedence.`,
  });
  const schema = {
    name,
    displayName: "Event datasets",
    version,
    description: "Pulumi resources for Axiom: API tokens that rotate, annotations of deployments, and query gates.",
    keywords: [...manifest.keywords.filter((/** @type {string} */ word) => word !== "dynamic-provider"), ...CATEGORIES],
    ...publicationOf(manifest),
    license: manifest.license,
    meta: { moduleFormat: "(.*)" },
    ...parts,
    language: languagesOf(name, pythonIn(describe("ApiToken"))),
  };
  return { "schema.json": `${JSON.stringify(schema, undefined, 2)}\n` };
}

/** The block in Python of an example. @param {string} examples */
const pythonIn = (examples) => /```python\n[\s\S]*?\n```/.exec(examples)?.[0] ?? "";

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

/** @param {string} name */
export const lowerFirst = (name) => name[0]?.toLowerCase() + name.slice(1);
/** @param {string} name */
export const upperFirst = (name) => name[0]?.toUpperCase() + name.slice(1);
