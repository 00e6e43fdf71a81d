import type { ResourceDefinition } from "../framework/definition";
import { annotationDefinition } from "./annotation/definition";
import { apiTokenDefinition } from "./apiToken/definition";
import { deploymentAnnotationDefinition } from "./deploymentAnnotation/definition";
import { getToken } from "./lookups/getToken";
import { getTokens } from "./lookups/getTokens";
import { queryApl } from "./lookups/queryApl";
import { queryDataset } from "./lookups/queryDataset";
import { queryGateDefinition } from "./queryGate/definition";

/** Everything that a program can import. */
type Exports = typeof import("./index");

/** The resources that a program can import. `Provider` is none of the service's: it is the connection. */
export type ResourceName = Exclude<
  { [Name in keyof Exports]: Exports[Name] extends ResourceClass ? Name : never }[keyof Exports],
  "Provider"
>;

type ResourceClass = abstract new (...args: never[]) => { readonly urn: unknown };

/** The data functions that a program can import. */
export type FunctionName = {
  [Name in keyof Exports]: Exports[Name] extends (...args: never[]) => Promise<unknown> ? Name : never;
}[keyof Exports];

/** The definition of every resource: one that programs can import without a definition does not compile. */
export const resourceDefinitions: Readonly<Record<ResourceName, ResourceDefinition>> = {
  ApiToken: apiTokenDefinition,
  Annotation: annotationDefinition,
  DeploymentAnnotation: deploymentAnnotationDefinition,
  QueryGate: queryGateDefinition,
};

/** The definition of every data function, in the same way. */
export const lookups = {
  getToken,
  getTokens,
  queryApl: queryApl(),
  queryDataset,
} as const satisfies Record<FunctionName, object>;
