// Uses a token of another stack, as a secret. After a rotation the next `pulumi up` here takes the new token: run it within
// the two days of `overlap` that the other stack declares.
import * as pulumi from "@pulumi/pulumi";

const tokens = new pulumi.StackReference(new pulumi.Config().require("tokens"));

// Pass it on, for example as an environment variable of a container.
export const environment = { EVENTS_TOKEN: tokens.requireOutput("webToken") };
export const fingerprint = tokens.requireOutput("webFingerprint");
