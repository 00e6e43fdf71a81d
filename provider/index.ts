import "./supportedNode";

export type {
  Action,
  AggregationRequest,
  DatasetCapabilities,
  Filter,
  OrgCapabilities,
  OrgCapabilityKey,
  Profile,
  QueryTime,
  Row,
  Token,
} from "../sdk";
export { type Capabilities, capabilities } from "./capabilities";
export { DeploymentAnnotation, type DeploymentAnnotationArgs } from "./components/deploymentAnnotation";
export { rows, scalar, totals } from "./functions/answers";
export { type GetTokenArgs, getToken, getTokenOutput } from "./functions/getToken";
export { type GetTokensArgs, type GetTokensResult, getTokens, getTokensOutput } from "./functions/getTokens";
export { type QueryAplArgs, type QueryAplResult, queryApl, queryAplOutput } from "./functions/queryApl";
export {
  type QueryDatasetArgs,
  type QueryDatasetResult,
  queryDataset,
  queryDatasetOutput,
} from "./functions/queryDataset";
export { Annotation, type AnnotationArgs } from "./resources/annotation";
export { type AdoptArgs, ApiToken, type ApiTokenArgs, type RotationArgs } from "./resources/apiToken";
export { Provider, type ProviderArgs } from "./resources/provider";
export { type ExpectArgs, QueryGate, type QueryGateArgs } from "./resources/queryGate";
export type { RecipientArgs, SealForArgs } from "./resources/recipients";
