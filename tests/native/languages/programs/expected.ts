/** The outputs that come from a secret: the stack shows none of them. */
export const secretOutputs = [
  "ApiToken.token",
  "ApiToken.description",
  "ApiToken.expiresAt",
  "ApiToken.adopt.id",
  "ApiToken.adopt.token",
  "queryApl.tables",
];

/**
 * Outputs that the program gives in every language, by the resource or function and the name in the reference: the computed ones, and of
 * the arguments one of each kind.
 */
export const outputs: Readonly<Record<string, unknown>> = {
  "Provider.elsewhere": /^elsewhere-\w{7}$/,
  "ApiToken.token": /^xaat-/,
  "ApiToken.fingerprint": /^[0-9a-f]{12}$/,
  "ApiToken.rotatesAt": /^\d{4}-/,
  "ApiToken.rotation.rotateBefore": "14d",
  "ApiToken.description": "a secret description",
  "ApiToken.expiresAt": "2099-01-01T00:00:00Z",
  "ApiToken.orgCapabilities": ["read"],
  "ApiToken.sealedToken": /-----BEGIN AGE ENCRYPTED FILE-----/,
  "ApiToken.adopt.id": /^[0-9a-f]+$/,
  "ApiToken.adopt.token": /^xaat-/,
  "Annotation.title": "Launch",
  "Annotation.triggers": { round: 1 },
  "DeploymentAnnotation.annotationId": /^ann_/,
  "DeploymentAnnotation.recorded": true,
  "DeploymentAnnotation.time": /^\d{4}-/,
  "DeploymentAnnotation.endTime": /^\d{4}-/,
  "DeploymentAnnotation.title": "Deploy programs to dev (0a1b2c3)",
  "DeploymentAnnotation.required": true,
  "QueryGate.expect.min": 1,
  "QueryGate.value": 1,
  "QueryGate.attempts": 1,
  "QueryGate.passedAt": /^\d{4}-/,
  "getToken.id": /^\w+$/,
  "getToken.name": /^ci-\w{7}$/,
  "getToken.description": "a secret description",
  "getToken.datasetCapabilities": { web: { ingest: ["create"] } },
  "getToken.orgCapabilities": ["read"],
  "getTokens.tokens": /^ci-\w{7}$/,
  "getTokens.expiring": /^ci-\w{7}$/,
  "queryApl.buckets": 2,
  "queryApl.status": 2,
  "queryApl.tables": 500,
  "queryDataset.buckets": 2,
  "queryDataset.status": 2,
  "queryDataset.matches": /"data":\{"code":500\}/,
};
