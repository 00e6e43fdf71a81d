// Another stack uses a token. `getOutput` keeps it a secret. After a rotation the next `pulumi up` here takes the new one:
// run it within `rotateBefore` of the other stack's.
//
//   pulumi config set tokens acme/tokens/prod
import * as pulumi from "@pulumi/pulumi";

const tokens = new pulumi.StackReference(new pulumi.Config().require("tokens"));

// Give it to what needs it, as an environment variable of a container, say.
export const environment = { EVENTS_TOKEN: tokens.requireOutput("webToken") };
export const fingerprint = tokens.requireOutput("webFingerprint");
