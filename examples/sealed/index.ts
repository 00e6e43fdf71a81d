// A token that only its two consumers can read: a cluster and an operator, each with an age key of its own. The state of this
// stack, its logs and whoever can decrypt them have ciphertext.
//   age-keygen -o key.txt                       # once, by each consumer; its public key goes into the config
//   pulumi config set cluster age1…
//   pulumi config set operator age1…
//   pulumi stack output sealed | age --decrypt --identity key.txt
import * as pulumi from "@pulumi/pulumi";
import { ApiToken, capabilities } from "pulumi-event-datasets";

const config = new pulumi.Config();
const [cluster, operator] = [config.require("cluster"), config.require("operator")];

const ingest = new ApiToken("ingest", {
  ...capabilities.ingest("deploys"),
  rotation: { expireAfter: "90d", rotateBefore: "14d" },
  sealFor: [cluster, operator],
});

// For the operator.
export const sealed = ingest.sealedFor(operator);
// Compare with `… | sha256sum | cut -c1-12` of what a consumer opened.
export const fingerprint = ingest.fingerprint;
// For the cluster: safe to commit. The container's start opens the file with the key that only the cluster has.
export const manifest = pulumi.jsonStringify({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "ingest-token" },
  data: { "token.age": ingest.sealedFor(cluster) },
});
