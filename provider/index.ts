import "./supportedNode";

export type {
  Action,
  AggregationRequest,
  DatasetCapabilities,
  Filter,
  JsonObject,
  OrgCapabilities,
  OrgCapabilityKey,
  Profile,
  QueryTime,
  Row,
  Token,
} from "../sdk";
export { rows, scalar, totals } from "../sdk/queries/rows";
export { Provider, type ProviderArgs } from "./account/provider";
export type { AnnotationArgs } from "./annotation/definition";
export { Annotation } from "./annotation/resource";
export type { Adopt, ApiTokenArgs, RecipientArgs, Rotation } from "./apiToken/definition";
export { ApiToken } from "./apiToken/resource";
export type { DeploymentAnnotationArgs } from "./deploymentAnnotation/definition";
export { DeploymentAnnotation } from "./deploymentAnnotation/resource";
export * from "./lookups/programs";
export type { Expectation } from "./queryGate/bounds";
export type { QueryGateArgs } from "./queryGate/definition";
export { QueryGate } from "./queryGate/resource";
export type { SealedBoxKey, SealRecipient } from "./seal/recipients";
