// A token that only its two consumers can read: a cluster and an operator, each with its own age key. The state of this
// stack, its logs and whoever can decrypt the state get only the ciphertext.
import * as pulumi from "@pulumi/pulumi";
import { ApiToken } from "pulumi-event-datasets";

const config = new pulumi.Config();
const [cluster, operator] = [config.require("cluster"), config.require("operator")];

const ingest = new ApiToken("ingest", {
  datasetCapabilities: { deploys: { ingest: ["create"] } },
  expiresIn: "90d",
  rotation: { rotateBefore: "14d" },
  sealFor: [cluster, operator],
});

// For the operator.
export const sealed = ingest.sealedFor(operator);
// Compare with `… | sha256sum | cut -c1-12` of the secret that a consumer decrypted.
export const fingerprint = ingest.fingerprint;
// For the cluster: safe to commit. At its start the container decrypts the file with the key that only the cluster has.
export const manifest = pulumi.jsonStringify({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "ingest-token" },
  data: { "token.age": ingest.sealedFor(cluster) },
});
