export type {
  Action,
  DatasetCapabilities,
  OrgCapabilities,
  OrgCapabilityKey,
  Profile,
  Token,
} from "../sdk";
export { type Capabilities, capabilities } from "./capabilities";
export { DeploymentAnnotation, type DeploymentAnnotationArgs } from "./components/deploymentAnnotation";
export { type GetTokenArgs, getToken, getTokenOutput } from "./functions/getToken";
export { type GetTokensArgs, type GetTokensResult, getTokens, getTokensOutput } from "./functions/getTokens";
export { Annotation, type AnnotationArgs } from "./resources/annotation";
export { type AdoptArgs, ApiToken, type ApiTokenArgs, type RotationArgs } from "./resources/apiToken";
export { Provider, type ProviderArgs } from "./resources/provider";
