import * as pulumi from "@pulumi/pulumi";
import * as eventDatasets from "pulumi-event-datasets-native";

const config = new pulumi.Config();

// begin Provider
const other = new eventDatasets.Provider("other", {
  baseUrl: new pulumi.Config().require("otherUrl"),
  accessToken: new pulumi.Config().requireSecret("otherToken"),
  profile: "extended",
});
const elsewhere = new eventDatasets.ApiToken(
  "elsewhere",
  { orgCapabilities: { annotations: ["create"] }, expiresIn: "90d" },
  { provider: other },
);
// end Provider

// begin ApiToken
const ci = new eventDatasets.ApiToken("ci", {
  orgCapabilities: { apiTokens: ["read"] },
  expiresIn: "90d",
  rotation: { rotateBefore: "14d" },
});
// end ApiToken
const full = new eventDatasets.ApiToken("full", {
  name: "full",
  description: pulumi.secret("a secret description"),
  expiresAt: "2099-01-01T00:00:00Z",
  retire: "revoke",
  datasetCapabilities: { web: { ingest: ["create"] } },
  orgCapabilities: {
    annotations: ["create"],
    apiTokens: ["read"],
    auditLog: ["read"],
    billing: ["read"],
    dashboards: ["read"],
    datasets: ["read"],
    endpoints: ["read"],
    flows: ["read"],
    integrations: ["read"],
    monitors: ["read"],
    notifiers: ["read"],
    rbac: ["read"],
    sharedAccessKeys: ["read"],
    users: ["read"],
    views: ["read"],
  },
  viewCapabilities: { errors: { query: ["read"] } },
  rotation: { triggers: { round: 1 }, overlap: "1h" },
});
const sealed = new eventDatasets.ApiToken("sealed", {
  orgCapabilities: { users: ["read"] },
  sealFor: config.require("recipient"),
});
const adopted = new eventDatasets.ApiToken("adopted", {
  name: "by hand",
  adopt: { id: config.require("theirId"), token: config.requireSecret("theirToken") },
});

// begin Dataset
const shop = new eventDatasets.Dataset("shop", { description: "Requests of the shop", retentionDays: 30 });
// end Dataset

// begin Annotation
const launch = new eventDatasets.Annotation("launch", { datasets: ["web"], title: "Launch", type: "launch" });
// end Annotation
const range = new eventDatasets.Annotation("range", {
  datasets: ["web"],
  type: "maintenance",
  description: "a range",
  time: "2026-01-01T00:00:00Z",
  endTime: "2026-01-01T01:00:00Z",
  url: "https://example.com/maintenance",
  triggers: { round: 1 },
  retain: false,
});

// begin DeploymentAnnotation
const deployed = new eventDatasets.DeploymentAnnotation(
  "deployed",
  { datasets: ["web"], commit: "0a1b2c3d4e5f" },
  { dependsOn: [ci] },
);
// end DeploymentAnnotation
const released = new eventDatasets.DeploymentAnnotation("released", {
  datasets: ["web"],
  title: "Release 1",
  description: "the first release",
  type: "release",
  url: "https://example.com/releases/1",
  commit: "0a1b2c3d4e5f",
  per: "commit",
  required: true,
});

// begin QueryGate
const errors = new eventDatasets.QueryGate("errors", {
  apl: "['web'] | where status >= 500 | summarize count()",
  startTime: "now-1h",
  endTime: "now",
  expect: { max: 5 },
  triggers: { image: "sha256:0a1b2c3d" },
});
// end QueryGate
const column = new eventDatasets.QueryGate("column", {
  apl: "['web'] | summarize total = count() by status",
  startTime: "now-1h",
  endTime: "now",
  expect: { column: "total", min: 1, equals: 1 },
  every: "1s",
  for: "1m",
  settle: "1s",
  noData: "pass",
  warnings: "fail",
  triggers: { image: "sha256:0a1b2c3d" },
});

// begin functions: `npm run generate` writes them from Pulumi.yaml
// begin getDataset
const described = eventDatasets.getDatasetOutput({ name: shop.name });
// end getDataset

// begin getDatasets
const named = eventDatasets.getDatasetsOutput({ namePrefix: shop.name });
// end getDatasets

// begin getToken
const found = eventDatasets.getTokenOutput({ name: ci.name });
// end getToken

// begin getTokens
const expiring = eventDatasets.getTokensOutput({ namePrefix: ci.name, expiringWithin: "120d" });
// end getTokens

// begin queryApl
const counted = eventDatasets.queryAplOutput({
  apl: "['web'] | summarize count()",
  startTime: "now-1h",
  endTime: "now",
});
// end queryApl
// end functions
const foundById = eventDatasets.getTokenOutput({ id: full.id });
const filtered = eventDatasets.getTokensOutput({
  name: ci.name,
  expired: false,
  withoutExpiry: false,
  capability: "apiTokens:read",
});
const table = eventDatasets.queryAplOutput({
  apl: pulumi.secret("['web'] | where status >= least | project status"),
  startTime: "now-1h",
  endTime: "now",
  format: "tabular",
  nocache: true,
  variables: { least: 500 },
});

// begin queryDataset
const grouped = eventDatasets.queryDatasetOutput({
  dataset: "web",
  startTime: "now-1h",
  endTime: "now",
  resolution: "auto",
  aggregations: [{ op: "count", field: "*", alias: "total" }],
  groupBy: ["service"],
});
// end queryDataset
const listed = eventDatasets.queryDatasetOutput({
  dataset: "web",
  startTime: "now-1h",
  endTime: "now",
  resolution: "auto",
  filter: { op: ">=", field: "status", value: 500 },
  order: [{ field: "status", desc: true }],
  project: [{ field: "status", alias: "code" }],
  limit: 10,
  includeCursor: true,
  nocache: true,
});

module.exports = {
  "Provider.elsewhere": elsewhere.name,
  "ApiToken.token": ci.token,
  "ApiToken.fingerprint": ci.fingerprint,
  "ApiToken.rotatesAt": ci.rotatesAt,
  "ApiToken.rotation.rotateBefore": ci.rotation.apply((rotation) => rotation?.rotateBefore),
  "ApiToken.description": full.description,
  "ApiToken.expiresAt": full.expiresAt,
  "ApiToken.orgCapabilities": full.orgCapabilities.apply((capabilities) => capabilities?.sharedAccessKeys),
  "ApiToken.sealedToken": sealed.sealedToken,
  "ApiToken.adopt.id": adopted.adopt.apply((adopt) => adopt?.id),
  "ApiToken.adopt.token": adopted.token,
  "Dataset.name": shop.name,
  "Dataset.kind": shop.kind,
  "Dataset.createdAt": shop.createdAt,
  "Annotation.title": launch.title,
  "Annotation.triggers": range.triggers,
  "DeploymentAnnotation.annotationId": deployed.annotationId,
  "DeploymentAnnotation.recorded": deployed.recorded,
  "DeploymentAnnotation.time": deployed.time,
  "DeploymentAnnotation.endTime": deployed.endTime,
  "DeploymentAnnotation.title": deployed.title,
  "DeploymentAnnotation.required": released.required,
  "QueryGate.expect.min": column.expect.apply(({ min }) => min),
  "QueryGate.value": errors.value,
  "QueryGate.attempts": errors.attempts,
  "QueryGate.passedAt": errors.passedAt,
  "getDataset.description": described.apply(({ description }) => description),
  "getDatasets.datasets": named.apply(({ datasets }) => datasets[0]?.retentionDays),
  "getToken.id": foundById.apply(({ id }) => id),
  "getToken.name": found.apply(({ name }) => name),
  "getToken.description": foundById.apply(({ description }) => description),
  "getToken.datasetCapabilities": foundById.apply(({ datasetCapabilities }) => datasetCapabilities),
  "getToken.orgCapabilities": found.apply(({ orgCapabilities }) => orgCapabilities?.apiTokens),
  "getTokens.tokens": filtered.apply(({ tokens }) => tokens[0]?.name),
  "getTokens.expiring": expiring.apply(({ tokens }) => tokens[0]?.name),
  "queryApl.buckets": counted.apply(({ buckets }) => buckets?.totals[0]?.aggregations[0]?.value),
  "queryApl.status": counted.apply(({ status }) => status.rowsMatched),
  "queryApl.tables": table.apply(({ tables }) => tables?.[0]?.columns[0]?.[0]),
  "queryDataset.buckets": grouped.apply(({ buckets }) => buckets.totals[0]?.aggregations[0]?.value),
  "queryDataset.status": grouped.apply(({ status }) => status.rowsMatched),
  "queryDataset.matches": listed.apply(({ matches }) => matches[0]),
};
