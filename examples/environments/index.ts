// A token for each service, in each environment: the stack is the environment. Every token may write into its own dataset
// and nothing else, so a leak in one place says which one, and costs one token.
//
//   pulumi stack init staging
//   pulumi config set --path 'services[0]' web && pulumi config set --path 'services[1]' api
import * as pulumi from "@pulumi/pulumi";
import { ApiToken, capabilities } from "pulumi-event-datasets";

const environment = pulumi.getStack();
const services = new pulumi.Config().requireObject<string[]>("services");

const tokens = services.map((service) => {
  const token = new ApiToken(`${service}-${environment}`, {
    description: `${service} in ${environment}`,
    ...capabilities.ingest(`${service}-${environment}`),
    rotation: { expireAfter: "90d", rotateBefore: "14d" },
  });
  return [service, token] as const;
});

// A secret each, by service: pulumi stack output secrets --show-secrets
export const secrets = Object.fromEntries(tokens.map(([service, { token }]) => [service, token]));
// What a person may see: which secret is in use, and when it is replaced.
export const fingerprints = Object.fromEntries(tokens.map(([service, { fingerprint }]) => [service, fingerprint]));
export const rotations = Object.fromEntries(tokens.map(([service, { rotatesAt }]) => [service, rotatesAt]));
