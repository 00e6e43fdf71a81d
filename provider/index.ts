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
export type { AnnotationArgs } from "./annotation/args";
export { Annotation } from "./annotation/resource";
export type { AdoptArgs, ApiTokenArgs, RecipientArgs, RotationArgs, SealForArgs } from "./apiToken/args";
export { type Capabilities, capabilities } from "./apiToken/capabilities";
export type { Adopt } from "./apiToken/model";
export { ApiToken } from "./apiToken/resource";
export type { Rotation } from "./apiToken/rotation";
export type { DeploymentAnnotationArgs } from "./deploymentAnnotation/args";
export { DeploymentAnnotation } from "./deploymentAnnotation/resource";
export {
  type GetTokenArgs,
  type GetTokensArgs,
  type GetTokensResult,
  getToken,
  getTokenOutput,
  getTokens,
  getTokensOutput,
  type QueryAplArgs,
  type QueryAplResult,
  type QueryDatasetArgs,
  type QueryDatasetResult,
  queryApl,
  queryAplOutput,
  queryDataset,
  queryDatasetOutput,
} from "./lookups/programs/functions";
export type { ExpectArgs, QueryGateArgs } from "./queryGate/args";
export type { Expectation } from "./queryGate/expectation";
export { QueryGate } from "./queryGate/resource";
export type { SealedBoxKey, SealRecipient } from "./seal/recipients";
