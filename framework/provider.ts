import type { AnyLookup } from "./functions";
import { type Connect, Host, type HostedResource } from "./host";
import type { Tell } from "./lifecycle";
import type { ProviderPackage } from "./package";
import { Update } from "./update";

/** All that the forms of a provider are made from. */
export interface ProviderParts<Planning extends object, Service extends object> extends ProviderPackage {
  readonly version: string;
  /** Connects to an account, from its settings. */
  readonly connect: Connect<Planning, Service>;
  /** By their names in programs. */
  readonly resources: Readonly<Record<string, HostedResource<Planning, Service>>>;
  readonly functions: Readonly<Record<string, AnyLookup<object, Service>>>;
}

export interface Provider<Planning extends object, Service extends object> extends ProviderParts<Planning, Service> {
  /** The connection and the update that the hooks of a process share. */
  readonly open: (tell: Tell) => Host<Planning, Service>;
}

/** A provider, from which `dynamicForm` makes the modules that states name, and `serve` the plugin. */
export const provider = <
  Planning extends object,
  Service extends object,
  Parts extends ProviderParts<Planning, Service>,
>(
  parts: Parts & ProviderParts<Planning, Service>,
): Parts & Provider<Planning, Service> => ({
  ...parts,
  open: (tell) => new Host(parts.connect, tell, new Update()),
});
