// Made by `npm run generate`.
export * from "./annotation/resource";
export * from "./apiToken/resource";
export * from "./dataset/resource";
export * from "./deploymentAnnotation/resource";
export * from "./queryGate/resource";
