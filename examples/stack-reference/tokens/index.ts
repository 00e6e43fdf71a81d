// One stack makes the tokens, so only its runs need a credential that may create them.
import { ApiToken, capabilities } from "pulumi-event-datasets";

const web = new ApiToken("web", {
  ...capabilities.ingest("web"),
  rotation: { expireAfter: "90d", rotateBefore: "14d" },
});

// Stays a secret on its way: whoever may read this stack's secrets can read it, and nobody else.
export const webToken = web.token;
export const webFingerprint = web.fingerprint;
