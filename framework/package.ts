import { findUnknownNames } from "../values/nearestName";
import type { ResourceDefinition } from "./definition";
import type { Bag } from "./lifecycle";

/** The names of a provider that the engine stores. All of them are permanent, because states name them. */
export interface ProviderPackage {
  readonly npm: string;
  /** The namespace of type tokens, functions and configuration. */
  readonly namespace: string;
  readonly settings: Readonly<Record<string, Setting>>;
}

/** A setting of a provider: a key of the stack config, and an argument of an explicit provider. */
export interface Setting {
  /** Whether an explicit provider needs it, and the stack config too if `connectBy` makes the connection. */
  readonly required?: true;
  readonly secret?: true;
}

/** The input that marks the config of an explicit provider, and contains its name. */
export const explicitKey = ({ namespace }: ProviderPackage): string => `${namespace}:provider`;

/** The names of the settings for which a fact is true. */
export const settingsWith = ({ settings }: ProviderPackage, fact: keyof Setting): readonly string[] =>
  Object.keys(settings).filter((key) => settings[key]?.[fact]);

/** The mistakes in the arguments of an explicit provider, one sentence each. */
export const findArgumentProblems = (own: ProviderPackage, args: object | undefined): readonly string[] => [
  ...settingsWith(own, "required")
    .filter((key) => !(args as Bag | undefined)?.[key])
    .map((key) => `argument ${key} is missing or empty`),
  ...findUnknownNames(Object.keys(args ?? {}), Object.keys(own.settings), (key) => `argument ${key}`),
];

/** The keys in the stack config that nothing reads, one sentence each. */
export const findUnknownConfig = (own: ProviderPackage, names: readonly string[]): readonly string[] =>
  findUnknownNames(names, Object.keys(own.settings), (key) => `stack config ${own.namespace}:${key}`);

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

/** The input that contains the stored provider. */
export const providerKey = "__provider";

export const withoutProvider = ({ [providerKey]: _, ...rest }: Bag): Bag => rest;

/** The stored provider: a constant that requires a module, so the state has no code and no access token. */
export const storedProvider = ({ npm }: ProviderPackage, { module }: Pick<ResourceDefinition, "module">): string =>
  `module.exports=require("${npm}/${module}")`;
