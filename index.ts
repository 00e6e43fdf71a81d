// The demo: a token, an annotation and a lookup. `npm run demo` runs this program against the local emulator.
import * as pulumi from "@pulumi/pulumi";
import { Annotation, ApiToken, getTokensOutput } from "pulumi-event-datasets";

// May create annotations and read tokens, and nothing else. Its name gets a random suffix.
const ci = new ApiToken("ci", {
  description: "Annotates deployments and audits tokens in CI",
  expiresAt: "2030-01-01T00:00:00Z",
  orgCapabilities: { annotations: ["create"], apiTokens: ["read"] },
});

// Marks the deployment on a dataset.
const deployed = new Annotation("deployed", {
  datasets: ["deploys"],
  title: `Deployed ${pulumi.getProject()} to ${pulumi.getStack()}`,
  type: "deploy",
});

// Every live token of the account, read after `ci` is created.
const { tokens } = getTokensOutput({}, { dependsOn: ci });

export const tokenName = ci.name;
export const tokenId = ci.id;
export const token = ci.token;
export const annotationId = deployed.id;
export const tokenNames = tokens.apply((live) => live.map(({ name }) => name));
