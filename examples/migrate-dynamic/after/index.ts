// The same token, declared as it is, with an alias of its old type. `pulumi up` creates nothing and changes nothing at the
// service; from then on the secret is encrypted in the state. Remove the alias when every stack has been updated.
import { ApiToken } from "pulumi-event-datasets";

const ci = new ApiToken(
  "ci",
  {
    name: "ci", // the name of the existing token: a generated name would mean a new token
    expiresAt: "2030-01-01T00:00:00Z",
    orgCapabilities: { apiTokens: ["read"] },
  },
  { aliases: [{ type: "pulumi-nodejs:dynamic:Resource" }] },
);

export const id = ci.id;
export const token = ci.token;
