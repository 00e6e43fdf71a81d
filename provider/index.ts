export type {
  Action,
  DatasetCapabilities,
  OrgCapabilities,
  OrgCapabilityKey,
  Profile,
  Token,
} from "../sdk";
export { DeploymentAnnotation, type DeploymentAnnotationArgs } from "./components/deploymentAnnotation";
export { type GetTokensArgs, type GetTokensResult, getTokens, getTokensOutput } from "./functions/getTokens";
export { Annotation, type AnnotationArgs } from "./resources/annotation";
export { ApiToken, type ApiTokenArgs } from "./resources/apiToken";
export { Provider, type ProviderArgs } from "./resources/provider";
