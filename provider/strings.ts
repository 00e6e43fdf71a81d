import type { ProviderPackage } from "../framework/package";

/** The names that the engine stores: permanent. */
export const thisPackage: ProviderPackage = { npm: "pulumi-event-datasets", namespace: "event-datasets" };

/** Stack config keys, and the inputs of an explicit provider: a bare name would get the project's prefix. */
export const configNamespace = thisPackage.namespace;

/** The input that marks the config of an explicit provider, and holds its name. */
export const explicitProviderKey = `${configNamespace}:provider`;
