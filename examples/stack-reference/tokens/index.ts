// One stack creates the tokens, so only its updates need a credential that may create tokens.
import { ApiToken, capabilities } from "pulumi-event-datasets";

// After a rotation the old token stays valid for two days (`overlap`), so that the stacks that read it can be updated.
const web = new ApiToken("web", {
  ...capabilities.ingest("web"),
  expiresIn: "90d",
  rotation: { rotateBefore: "14d", overlap: "2d" },
});

// Stays a secret: only people who may read the secrets of this stack can read it.
export const webToken = web.token;
export const webFingerprint = web.fingerprint;
