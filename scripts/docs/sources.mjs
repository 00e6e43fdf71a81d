// @ts-check

/** A file with the name of an interface or a class in it. @typedef {[file: string, symbol: string]} Source */

/**
 * Which tables each page has, by the comment that marks their place, and where their rows come from; a later source
 * overrides an earlier one.
 * @type {Record<string, Record<string, Source[]>>}
 */
export const tables = {
  "docs/reference/apiToken.md": {
    arguments: [["provider/resources/apiToken.ts", "ApiTokenArgs"]],
    rotation: [["provider/lifecycle/token/rotation.ts", "Rotation"]],
    adopt: [["provider/lifecycle/token/model.ts", "Adopt"]],
    outputs: [["provider/resources/apiToken.ts", "ApiToken"]],
  },
  "docs/reference/annotation.md": {
    arguments: [["provider/resources/annotation.ts", "AnnotationArgs"]],
    outputs: [["provider/resources/annotation.ts", "Annotation"]],
  },
  "docs/reference/deploymentAnnotation.md": {
    arguments: [["provider/components/deploymentAnnotation.ts", "DeploymentAnnotationArgs"]],
    outputs: [["provider/components/deploymentAnnotation.ts", "DeploymentAnnotation"]],
  },
  "docs/reference/queryGate.md": {
    arguments: [["provider/resources/queryGate.ts", "QueryGateArgs"]],
    expect: [["provider/lifecycle/gate/expectation.ts", "Expectation"]],
    outputs: [["provider/resources/queryGate.ts", "QueryGate"]],
  },
  "docs/reference/provider.md": { arguments: [["provider/resources/provider.ts", "ProviderArgs"]] },
  "docs/reference/getTokens.md": {
    "arguments of getToken": [["provider/lookups/getToken.ts", "GetTokenArgs"]],
    "arguments of getTokens": [["sdk/tokenFilter.ts", "TokenFilter"]],
    token: [["sdk/resources/tokenFields.ts", "TokenSpec"]],
  },
  "docs/reference/queryApl.md": {
    arguments: [
      ["sdk/queries/request.ts", "AplRequest"],
      ["provider/lookups/queryApl.ts", "QueryAplArgs"],
    ],
  },
  "docs/reference/queryDataset.md": {
    arguments: [
      ["provider/lookups/queryDataset.ts", "QueryDatasetArgs"],
      ["sdk/queries/request.ts", "DatasetRequest"],
      ["provider/lookups/queryDataset.ts", "QueryDatasetArgs"],
    ],
    aggregation: [["sdk/queries/request.ts", "AggregationRequest"]],
    filter: [["sdk/queries/request.ts", "Filter"]],
  },
  "docs/guides/testing.md": {
    options: [["testing/index.ts", "EmulatorOptions"]],
    emulator: [["testing/index.ts", "Emulator"]],
  },
};
