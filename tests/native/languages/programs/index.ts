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
  adopt: { name: "by hand", token: config.requireSecret("theirToken") },
});

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

// begin getToken
const found = eventDatasets.getTokenOutput({ name: ci.name });
// end getToken
const foundById = eventDatasets.getTokenOutput({ id: full.id });

// begin getTokens
const expiring = eventDatasets.getTokensOutput({
  namePrefix: ci.name,
  expiringWithin: "120d",
});
// end getTokens
const filtered = eventDatasets.getTokensOutput({
  name: ci.name,
  expired: false,
  withoutExpiry: false,
  capability: "apiTokens:read",
});

// begin queryApl
const counted = eventDatasets.queryAplOutput({
  apl: "['web'] | summarize count()",
  startTime: "now-1h",
  endTime: "now",
});
// end queryApl
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
  "ApiToken.rotation.overlap": full.rotation.apply((rotation) => rotation?.overlap),
  "ApiToken.rotation.triggers": full.rotation.apply((rotation) => rotation?.triggers),
  "ApiToken.name": full.name,
  "ApiToken.description": full.description,
  "ApiToken.expiresAt": full.expiresAt,
  "ApiToken.expiresIn": elsewhere.expiresIn,
  "ApiToken.retire": full.retire,
  "ApiToken.datasetCapabilities": full.datasetCapabilities,
  "ApiToken.orgCapabilities": full.orgCapabilities.apply((capabilities) => capabilities?.sharedAccessKeys),
  "ApiToken.viewCapabilities": full.viewCapabilities,
  "ApiToken.sealFor": sealed.sealFor,
  "ApiToken.sealedToken": sealed.sealedToken,
  "ApiToken.adopt.name": adopted.adopt.apply((adopt) => adopt?.name),
  "ApiToken.adopt.token": adopted.token,
  "Annotation.datasets": range.datasets,
  "Annotation.title": launch.title,
  "Annotation.description": range.description,
  "Annotation.type": range.type,
  "Annotation.time": range.time,
  "Annotation.endTime": range.endTime,
  "Annotation.url": range.url,
  "Annotation.triggers": range.triggers,
  "Annotation.retain": range.retain,
  "DeploymentAnnotation.annotationId": deployed.annotationId,
  "DeploymentAnnotation.recorded": deployed.recorded,
  "DeploymentAnnotation.time": deployed.time,
  "DeploymentAnnotation.endTime": deployed.endTime,
  "DeploymentAnnotation.title": deployed.title,
  "DeploymentAnnotation.datasets": released.datasets,
  "DeploymentAnnotation.description": released.description,
  "DeploymentAnnotation.type": released.type,
  "DeploymentAnnotation.url": released.url,
  "DeploymentAnnotation.required": released.required,
  "QueryGate.apl": errors.apl,
  "QueryGate.startTime": errors.startTime,
  "QueryGate.endTime": errors.endTime,
  "QueryGate.expect.max": errors.expect.apply(({ max }) => max),
  "QueryGate.expect.column": column.expect.apply((expect) => expect.column),
  "QueryGate.expect.min": column.expect.apply(({ min }) => min),
  "QueryGate.expect.equals": column.expect.apply(({ equals }) => equals),
  "QueryGate.every": column.every,
  "QueryGate.for": column.for,
  "QueryGate.settle": column.settle,
  "QueryGate.noData": column.noData,
  "QueryGate.warnings": column.warnings,
  "QueryGate.triggers": column.triggers,
  "QueryGate.value": errors.value,
  "QueryGate.attempts": errors.attempts,
  "QueryGate.passedAt": errors.passedAt,
  "getToken.id": foundById.apply(({ id }) => id),
  "getToken.name": found.apply(({ name }) => name),
  "getToken.description": foundById.apply(({ description }) => description),
  "getToken.expiresAt": foundById.apply(({ expiresAt }) => expiresAt),
  "getToken.datasetCapabilities": foundById.apply(({ datasetCapabilities }) => datasetCapabilities),
  "getToken.orgCapabilities": found.apply(({ orgCapabilities }) => orgCapabilities?.apiTokens),
  "getToken.viewCapabilities": foundById.apply(({ viewCapabilities }) => viewCapabilities),
  "getTokens.tokens": filtered.apply(({ tokens }) => tokens[0]?.name),
  "getTokens.expiring": expiring.apply(({ tokens }) => tokens[0]?.name),
  "queryApl.buckets": counted.apply(({ buckets }) => buckets?.totals[0]?.aggregations[0]?.value),
  "queryApl.status": counted.apply(({ status }) => status.rowsMatched),
  "queryApl.format": counted.apply(({ format }) => format),
  "queryApl.datasetNames": counted.apply(({ datasetNames }) => datasetNames),
  "queryApl.tables": table.apply(({ tables }) => tables?.[0]?.columns[0]?.[0]),
  "queryDataset.buckets": grouped.apply(({ buckets }) => buckets.totals[0]?.aggregations[0]?.value),
  "queryDataset.status": grouped.apply(({ status }) => status.rowsMatched),
  "queryDataset.matches": listed.apply(({ matches }) => matches[0]),
};
