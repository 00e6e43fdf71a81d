// A token that lives 90 days and is replaced by the first `pulumi up` of its last 14. Run `pulumi up` from a schedule, at
// least once within those 14 days. The new token is made, then everything that depends on it is updated, and only then is
// the old one retired: in the extended profile it is revoked, in the documented one it dies at its own expiry.
import * as pulumi from "@pulumi/pulumi";
import { ApiToken, capabilities } from "pulumi-event-datasets";

const config = new pulumi.Config();

const ingest = new ApiToken("ingest", {
  ...capabilities.ingest("deploys"),
  rotation: {
    expireAfter: "90d",
    rotateBefore: "14d",
    // Rotate at once: pulumi config set generation 2
    triggers: { generation: config.get("generation") ?? "1" },
  },
});

// Hand it to what needs it, as a secret: an environment variable of a service, a CI variable, a secret store.
export const token = ingest.token;
export const expiresAt = ingest.expiresAt;
export const rotatesAt = ingest.rotatesAt;
// Compare with `printf %s "$TOKEN" | sha256sum | cut -c1-12` on a consumer to see which secret it holds.
export const fingerprint = ingest.fingerprint;
