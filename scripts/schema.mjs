// @ts-check
import fs from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { docOf, original, PACKAGE, Types, token } from "./schema/types.mjs";

/**
 * Writes schema.json, what every language's SDK of the native plugin is made from: out of the classes and the argument types that
 * programs in TypeScript have, with their doc comments. Run it after a change of one; a test compares, with `--print`.
 */

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

/** Resources: where the class is, its form in dynamic providers, and what is secret. */
const RESOURCES = {
  ApiToken: {
    file: "provider/resources/apiToken.ts",
    outputs: ["token", "sealedToken", "fingerprint", "createdAt", "rotatesAt"],
    alias: true,
  },
  Annotation: { file: "provider/resources/annotation.ts", outputs: [], alias: true },
  DeploymentAnnotation: {
    file: "provider/components/deploymentAnnotation.ts",
    outputs: ["annotationId", "recorded", "time", "endTime"],
    alias: false,
  },
  QueryGate: { file: "provider/resources/queryGate.ts", outputs: ["value", "attempts", "passedAt"], alias: true },
};
const FUNCTIONS = {
  getToken: { args: "GetTokenArgs", result: "Token" },
  getTokens: { args: "GetTokensArgs", result: "GetTokensResult" },
  queryApl: { args: "QueryAplArgs", result: "QueryAplResult" },
  queryDataset: { args: "QueryDatasetArgs", result: "QueryDatasetResult" },
};
/** @param {string} root */
async function makeSchema(root) {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path.join(root, "tsconfig.json"), ts.sys.readFile).config,
    ts.sys,
    root,
  );
  const program = ts.createProgram([path.join(root, "provider/index.ts")], options);
  const checker = program.getTypeChecker();
  const { version, license } = JSON.parse(await fs.readFile(path.join(root, "package.json"), "utf8"));
  const index = exportsOf(checker, program, path.join(root, "provider/index.ts"));
  const types = new Types(checker);

  /** @type {Record<string, unknown>} */
  const resources = {};
  for (const [name, { file, outputs, alias }] of Object.entries(RESOURCES)) {
    const exported = exportsOf(checker, program, path.join(root, file));
    const inputs = types.objectOf(name, declared(checker, exported, `${name}Args`));
    const own = types.objectOf(name, declared(checker, exported, name), outputs);
    const { properties, required = [] } = inputs;
    const isComponent = name === "DeploymentAnnotation";
    resources[token(name)] = {
      description: docOf(checker, exported.get(name)),
      properties: isComponent ? own.properties : { ...properties, ...own.properties },
      required: [...(isComponent ? [] : required), ...(own.required ?? []), ...(name === "ApiToken" ? ["name"] : [])],
      inputProperties: properties,
      requiredInputs: required,
      ...(alias ? { aliases: [{ type: `pulumi-nodejs:${PACKAGE}:${name}` }] } : {}),
    };
  }

  /** @type {Record<string, unknown>} */
  const functions = {};
  const forms = exportsOf(checker, program, path.join(root, "provider/lookups/queryApl.ts"));
  for (const [name, { args, result }] of Object.entries(FUNCTIONS)) {
    const outputs =
      name === "queryApl"
        ? types.eitherOf(result, declared(checker, forms, "QueryAplResults"))
        : types.objectOf(result, declared(checker, index, result));
    functions[token(name)] = {
      description: docOf(checker, index.get(name)),
      inputs: types.objectOf(name, declared(checker, index, args)),
      outputs,
    };
  }
  const provider = types.objectOf("Provider", declared(checker, index, "ProviderArgs"));
  return {
    name: PACKAGE,
    displayName: "Event datasets",
    version,
    description: "API tokens, annotations and queries of an event-data service.",
    license,
    meta: { moduleFormat: "(.*)" },
    config: { variables: provider.properties },
    types: Object.fromEntries([...types.named].sort(([a], [b]) => (a < b ? -1 : 1))),
    provider: {
      description: docOf(checker, index.get("Provider")),
      inputProperties: provider.properties,
      requiredInputs: provider.required,
    },
    resources,
    functions,
    language: {
      nodejs: { packageName: "pulumi-event-datasets-native", respectSchemaVersion: true },
      python: { packageName: "pulumi_event_datasets", respectSchemaVersion: true, pyproject: { enabled: true } },
      go: {
        importBasePath: "pulumi-event-datasets-go/eventdatasets",
        rootPackageName: "eventdatasets",
        respectSchemaVersion: true,
        generateResourceContainerTypes: true,
      },
      csharp: { namespaces: { [PACKAGE]: "EventDatasets" }, respectSchemaVersion: true },
    },
  };
}

/**
 * @param {ts.TypeChecker} checker
 * @param {ts.Program} program
 * @param {string} file
 */
function exportsOf(checker, program, file) {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} exports nothing`);
  return new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]));
}

/**
 * @param {ts.TypeChecker} checker
 * @param {Map<string, ts.Symbol>} exported
 * @param {string} name
 */
function declared(checker, exported, name) {
  const symbol = exported.get(name);
  if (!symbol) throw new Error(`there is no ${name}`);
  return checker.getDeclaredTypeOfSymbol(original(checker, symbol));
}

const file = path.join(ROOT, "schema.json");
const text = `${JSON.stringify(await makeSchema(ROOT), undefined, 2)}\n`;
if (process.argv.includes("--print")) process.stdout.write(text);
else await fs.writeFile(file, text);
