import { namesWhere, type ResourceDefinition } from "../definition";
import { dynamicToken, nativeToken, type ProviderPackage } from "../package";
import type { Shape } from "../shapes";
import type { Declarations } from "./declarations";
import { type ObjectSpec, type Spec, Types } from "./types";

type Resource = { readonly definition: ResourceDefinition };
type Lookup = { readonly arguments: Readonly<Record<string, Shape>> };

export interface SchemaSource {
  readonly declarations: Declarations;
  readonly provider: ProviderPackage & {
    readonly version: string;
    readonly resources: Readonly<Record<string, Resource>>;
    readonly functions: Readonly<Record<string, Lookup>>;
  };
  /** The file that exports what programs import: classes, functions and `ProviderArgs`. */
  readonly entry: string;
  /** The file with the types `…Args` and `…Outputs` of a resource. */
  readonly fileOf: (resource: string) => string;
  /** Additional text for a resource, a function or the provider, such as an example. */
  readonly describe?: (name: string) => string;
  /** The description of a setting in the stack config. */
  readonly describeSetting?: (key: string, description: string) => string;
}

/** The part of a package schema that can be derived from a provider: its classes and arguments, with their doc comments. */
export function schemaOf(source: SchemaSource) {
  const { declarations, provider, entry, describe, describeSetting = (_, text) => text } = source;
  const tokenOf = (name: string) => nativeToken(provider, name);
  const types = new Types(declarations, tokenOf, (owner, property) => isSecret(provider, owner, property));
  const words = (name: string, file = entry) =>
    [declarations.describe(declarations.symbolOf(file, name)), describe?.(name)].filter(Boolean).join("\n\n");
  const config = types.objectOf("Provider", declarations.typeOf(entry, "ProviderArgs"));
  const resources = Object.entries(provider.resources).map(([name, { definition }]) => {
    const spec = resourceOf(source, types, name, definition);
    return [tokenOf(name), { description: words(name), ...spec }];
  });
  const functions = Object.entries(provider.functions).map(([name, lookup]) => [
    tokenOf(name),
    { description: words(name), ...functionOf(source, types, name, lookup) },
  ]);
  return {
    name: provider.namespace,
    version: provider.version,
    config: { variables: configurationOf(config, describeSetting) },
    types: Object.fromEntries([...types.named].sort(([a], [b]) => (a < b ? -1 : 1))),
    provider: {
      description: words("Provider"),
      inputProperties: config.properties,
      requiredInputs: config.required,
    },
    resources: Object.fromEntries(resources),
    functions: Object.fromEntries(functions),
  };
}

/** Whether the definitions say that a property of a named type is always secret. A member's type is named after its resource. */
function isSecret({ settings, resources }: SchemaSource["provider"], owner: string, property: string): boolean {
  if (owner === "Provider") return settings[property]?.secret === true;
  return Object.entries(resources).some(([name, { definition }]) => {
    const { properties } = definition;
    if (owner === name) return properties[property]?.secret === true;
    const parts = Object.entries(properties).find(([key]) => owner.toLowerCase() === `${name}${key}`.toLowerCase());
    return parts?.[1].parts?.[property] === "secret";
  });
}

/**
 * The stack's config: the arguments of an explicit provider, all optional. An enum becomes a string, because the Node.js SDK would parse
 * it as JSON.
 */
const configurationOf = ({ properties }: ObjectSpec, describe: (key: string, description: string) => string) =>
  Object.fromEntries(
    Object.entries(properties).map(([key, { description = "", $ref, ...spec }]) => [
      key,
      { ...($ref ? { type: "string" } : {}), ...spec, description: describe(key, description) },
    ]),
  );

function resourceOf(
  { declarations, provider, fileOf }: SchemaSource,
  types: Types,
  name: string,
  definition: ResourceDefinition,
) {
  const { properties: table } = definition;
  const inputs = types.objectOf(name, declarations.typeOf(fileOf(name), `${name}Args`));
  const names = namesWhere(definition, ({ kind }) => kind !== "hint" && kind !== "hidden" && kind !== "record");
  const made = names.filter((key) => table[key]?.kind !== undefined);
  const own = types.objectOf(name, declarations.typeOf(fileOf(name), `${name}Outputs`), made);
  // A default is one of an argument.
  const outputs = Object.entries({ ...inputs.properties, ...own.properties }).map(
    ([key, { default: _, ...spec }]): [string, Spec] => [key, spec],
  );
  const replacing = Object.entries(inputs.properties).map(([key, spec]): [string, Spec] => [
    key,
    table[key]?.replaces === true ? { ...spec, willReplaceOnChanges: true } : spec,
  ]);
  return {
    properties: Object.fromEntries(outputs.filter(([key]) => names.includes(key))),
    required: names.filter((key) => (table[key]?.required ?? table[key]?.always) !== undefined),
    inputProperties: Object.fromEntries(replacing),
    requiredInputs: inputs.required ?? [],
    aliases: [{ type: dynamicToken(provider, name) }],
  };
}

function functionOf({ declarations, entry }: SchemaSource, types: Types, name: string, lookup: Lookup) {
  const result = declarations.resultOf(entry, name);
  const upper = name.charAt(0).toUpperCase() + name.slice(1);
  const outputs = types.objectOf(result.aliasSymbol?.name ?? result.symbol?.name ?? `${upper}Result`, result);
  const inputs = types.objectOf(name, declarations.typeOf(entry, `${upper}Args`));
  for (const [key, spec] of Object.entries(inputs.properties)) {
    if (isInteger(lookup.arguments[key])) spec.type = "integer";
  }
  return { inputs, outputs };
}

const isInteger = (shape: Shape | undefined): boolean =>
  shape !== undefined && shape.judge(1).length === 0 && shape.judge(1.5).length > 0;
