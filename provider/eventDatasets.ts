import type { ResourceDefinition } from "../framework/definition";
import { provider } from "../framework/provider";
import { version } from "../sdk";
import * as functions from "./lookups";
import * as resources from "./nouns/lifecycles";
import { connect, type Hosted } from "./shared/account/connection";
import { thisPackage } from "./shared/strings";

/** Everything that a program can import. */
type Exports = typeof import("./index");

/** The resources that a program can import. `Provider` is not one of them: it is a connection. */
export type ResourceName = keyof typeof import("./nouns/resources");

/** The data functions that a program can import. */
export type FunctionName = {
  [Name in keyof Exports]: Exports[Name] extends (...args: never[]) => Promise<unknown> ? Name : never;
}[keyof Exports];

/** The provider. The compiler finds an export that is missing here, or a function that no program can import. */
export const eventDatasets = provider({
  ...thisPackage,
  version,
  connect,
  resources: { ...resources } satisfies Record<ResourceName, Hosted>,
  functions: { ...functions } satisfies Record<FunctionName, object> &
    Record<Exclude<keyof typeof functions, FunctionName>, never>,
});

export const { functions: lookups } = eventDatasets;

export const resourceDefinitions = Object.fromEntries(
  Object.entries(eventDatasets.resources).map(([name, { definition }]) => [name, definition]),
) as Readonly<Record<ResourceName, ResourceDefinition>>;
