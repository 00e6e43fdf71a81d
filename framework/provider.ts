import type { Lookup } from "./functions";
import type { Connect, HostedResource } from "./host";
import type { ProviderPackage } from "./package";

/** Everything from which the forms of a provider are made. */
export interface Provider<Planning extends object = object, Service extends object = object> extends ProviderPackage {
  readonly version: string;
  /** Connects to an account, from its settings. */
  readonly connect: Connect<Planning, Service>;
  /** The resources, by their names in programs. */
  readonly resources: Readonly<Record<string, HostedResource<Planning, Service>>>;
  readonly functions: Readonly<Record<string, Lookup<object, object, Service>>>;
}

/** A provider, from which `dynamicForm` makes the modules that states name, and `serve` the plugin. */
export const provider = <Planning extends object, Service extends object, Parts extends Provider<Planning, Service>>(
  parts: Parts & Provider<Planning, Service>,
): Parts => parts;
