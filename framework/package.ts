import type { ResourceDefinition } from "./definition";
import type { Bag } from "./lifecycle";

/** The names of a provider that the engine stores. All of them are permanent: states name them. */
export interface ProviderPackage {
  readonly npm: string;
  /** The namespace of type tokens, functions and configuration. */
  readonly namespace: string;
  /** Finds the keys of stack config that nobody reads, a sentence each. */
  readonly unknownSettings?: (names: readonly string[]) => readonly string[];
}

/** The engine's type token of a resource in its dynamic form. */
export const dynamicToken = ({ namespace }: ProviderPackage, name: string): string =>
  `pulumi-nodejs:${namespace}:${name}`;

/** The engine's type token of a component or function, and of a resource in the form of the plugin. */
export const nativeToken = ({ namespace }: ProviderPackage, name: string): string => `${namespace}:index:${name}`;

/** The type tokens of a resource in each of its forms. */
export const tokensOf = (own: ProviderPackage, { name }: Pick<ResourceDefinition, "name">): readonly string[] => [
  dynamicToken(own, name),
  nativeToken(own, name),
];

/** The input that holds the stored provider. */
export const providerKey = "__provider";

export function withoutProvider({ [providerKey]: _, ...rest }: Bag): Bag {
  return rest;
}

/** The stored provider: a constant that requires a module, so no code or credential is in the state. */
export const storedProvider = ({ npm }: ProviderPackage, { module }: Pick<ResourceDefinition, "module">): string =>
  `exports.handler=()=>require("${npm}/${module}")`;
