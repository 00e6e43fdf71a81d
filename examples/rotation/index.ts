// A token that is valid for 90 days. The first `pulumi up` within its last 14 days replaces it, so run `pulumi up` from a
// schedule. Pulumi creates the new token, updates everything that depends on it, and only then retires the old token:
// revoked in the extended profile, left to its own expiry in the documented one.
import * as pulumi from "@pulumi/pulumi";
import { ApiToken } from "pulumi-event-datasets";

const config = new pulumi.Config();

const ingest = new ApiToken("ingest", {
  datasetCapabilities: { deploys: { ingest: ["create"] } },
  expiresIn: "90d",
  rotation: {
    rotateBefore: "14d",
    // Rotate at once: pulumi config set generation 2
    triggers: { generation: config.get("generation") ?? "1" },
  },
});

// Pass it on as a secret: to an environment variable of a service, a CI variable, a secret store.
export const token = ingest.token;
export const expiresAt = ingest.expiresAt;
export const rotatesAt = ingest.rotatesAt;
// Compare with `printf %s "$TOKEN" | sha256sum | cut -c1-12` on a consumer to see which secret it holds.
export const fingerprint = ingest.fingerprint;
