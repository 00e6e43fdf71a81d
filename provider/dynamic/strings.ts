/**
 * What the engine stores. All of it is permanent: state written by any version calls these types and these paths.
 */

/** The package that a stored string requires. */
export const packageName = "pulumi-event-datasets";

/** The modules that a stored string requires, below the package. */
export const modules = {
  ApiToken: "dynamic/v1/api-token",
  Annotation: "dynamic/v1/annotation",
  DeploymentMarker: "dynamic/v1/deployment-marker",
  QueryGate: "dynamic/v1/query-gate",
} as const;

export type ResourceType = keyof typeof modules;

/** The engine's type token of a resource. */
export const typeToken = (type: ResourceType): string => `pulumi-nodejs:event-datasets:${type}`;

/** The engine's type token of a component, and of a resource in the form of the plugin for every language. */
export const componentToken = (type: "DeploymentAnnotation" | ResourceType): string => `event-datasets:index:${type}`;

/** The type tokens of an API token in each of its forms. */
export const apiTokenTypes: readonly string[] = [typeToken("ApiToken"), componentToken("ApiToken")];

/** The input under which the engine looks for the stored provider. */
export const providerKey = "__provider";

/**
 * The stored provider: a constant that requires a module, so that neither code nor a credential is ever in the state,
 * and an upgrade of the package takes effect without a change to any resource.
 */
export const storedProvider = (type: ResourceType): string =>
  `exports.handler=()=>require("${packageName}/${modules[type]}")`;

/** Stack config keys, and the inputs of an explicit provider: a bare name would get the project's prefix. */
export const configNamespace = "event-datasets";

/** The input that marks the config of an explicit provider, and holds its name. */
export const explicitProviderKey = `${configNamespace}:provider`;
