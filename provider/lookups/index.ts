export * from "./getDataset";
export * from "./getDatasets";
export * from "./getToken";
export * from "./getTokens";
export * from "./queryApl";
export * from "./queryDataset";
