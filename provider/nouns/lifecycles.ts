// Made by `npm run generate`.
export { hostedAnnotation as Annotation } from "./annotation/lifecycle";
export { hostedApiToken as ApiToken } from "./apiToken/lifecycle";
export { hostedDataset as Dataset } from "./dataset/lifecycle";
export { hostedDeploymentAnnotation as DeploymentAnnotation } from "./deploymentAnnotation/lifecycle";
export { hostedQueryGate as QueryGate } from "./queryGate/lifecycle";
