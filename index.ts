// The demo of this repository, not a part of the package: `npm run demo` runs it with the real engine against the emulator.
import * as pulumi from "@pulumi/pulumi";
import { Annotation, ApiToken, getTokensOutput } from "pulumi-event-datasets";

// May create annotations and read tokens, and nothing else. Its name gets a random suffix.
const ci = new ApiToken("ci", {
  description: "Annotates deployments and audits tokens in CI",
  expiresIn: "90d",
  rotation: { rotateBefore: "14d" },
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
